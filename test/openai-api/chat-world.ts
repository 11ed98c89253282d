import type { RecordingModelServer } from "@incipit/testkit";
import { createClient, routes, type Client } from "@incipit/transport-contract";
import type { HostProcess, HostProcessOptions } from "../support/host-process.ts";
import { HostWorld } from "../support/host-world.ts";

export interface ChatWorld extends AsyncDisposable {
  readonly host: HostProcess;
  readonly options: HostProcessOptions;
  readonly model: RecordingModelServer;
  readonly cwd: string;
  readonly baseURL: string;
  readonly api: Client;
  lastRequest(): string;
  /** A token without admin rights. */
  newToken(): Promise<{ readonly id: string; readonly secret: string }>;
}

export async function createChatWorld(
  settings: string | ((model: RecordingModelServer) => string) = "",
  env: Readonly<Record<string, string>> = {},
): Promise<ChatWorld> {
  const world = await HostWorld.create({
    model: "local/test-model",
    env,
    config: (model) => `system_prompt = "Be of use."
${typeof settings === "string" ? settings : settings(model)}
[providers.keyless]
kind = "openai"
[profiles.reviewer]
system_prompt = "Review in [prompt:cwd]."
`,
  });
  const { model, options, cwd } = world;
  const host = await world.start();
  const api = createClient({ url: host.url, token: host.token });
  return {
    host,
    options,
    model,
    cwd,
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
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** The error of a request, or undefined. */
export function failed(request: Promise<unknown>): Promise<unknown> {
  return request.then(
    () => undefined,
    (error: unknown) => error,
  );
}
