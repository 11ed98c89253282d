import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { createClient, routes, type Client } from "@incipit/transport-contract";
import { join } from "node:path";
import { HostProcess, type HostProcessOptions } from "../support/host-process.ts";

export interface ChatWorld extends AsyncDisposable {
  readonly host: HostProcess;
  readonly options: HostProcessOptions;
  readonly model: RecordingModelServer;
  readonly cwd: string;
  readonly baseURL: string;
  readonly api: Client;
  lastRequest(): string;
  /** Of a stranger, without admin rights. */
  newToken(): Promise<{ readonly id: string; readonly secret: string }>;
}

export async function createChatWorld(
  settings: string | ((model: RecordingModelServer) => string) = "",
  env: Readonly<Record<string, string>> = {},
): Promise<ChatWorld> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTempFolder());
  const model = stack.use(await startRecordingModelServer());
  const config = join(folder.path, "incipit.toml");
  await Bun.write(
    config,
    `model = "local/test-model"
system_prompt = "Be of use."
${typeof settings === "string" ? settings : settings(model)}
[providers.local]
kind = "openai-compatible"
base_url = "${model.url}"
[providers.keyless]
kind = "openai"
[profiles.reviewer]
system_prompt = "Review in [prompt:cwd]."
`,
  );
  const options = { data: join(folder.path, "data"), config, cwd: folder.path, env };
  const host = stack.use(await HostProcess.start(options));
  const owned = stack.move();
  const api = createClient({ url: host.url, token: host.token });
  return {
    host,
    options,
    model,
    cwd: folder.path,
    baseURL: `${host.url}/v1`,
    api,
    lastRequest() {
      const { body } = model.requests.at(-1) ?? {};
      if (body === undefined) throw new Error("The model was asked nothing");
      return body;
    },
    async newToken() {
      const body = { name: "stranger", scopes: ["read" as const, "converse" as const], days: 1 };
      const { token, secret } = await api.call(routes.createToken, { body });
      return { id: token.id, secret };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The error of a request, or undefined. */
export function failed(request: Promise<unknown>): Promise<unknown> {
  return request.then(
    () => undefined,
    (error: unknown) => error,
  );
}
