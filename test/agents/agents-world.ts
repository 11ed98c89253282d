import { openTrustStore } from "@incipit/host/trust";
import { createHost, parseConfig, type RunningHost } from "@incipit/host-bin";
import type { ConversationId, CreateConversationRequest, TurnEvent } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { createClient, routes, type Client } from "@incipit/transport-contract";
import { mkdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";

export interface AgentsWorld extends AsyncDisposable {
  readonly work: string;
  readonly user: string;
  readonly home: string;
  readonly model: RecordingModelServer;
  readonly client: Client;
  readonly host: RunningHost;
  write(path: string, text: string | Uint8Array): Promise<string>;
  trust(...names: readonly string[]): Promise<void>;
  begin(request?: CreateConversationRequest): Promise<ConversationId>;
  turn(
    id: ConversationId,
    input: string,
  ): Promise<{ readonly events: readonly TurnEvent[]; readonly body: string; readonly end: TurnEvent | undefined }>;
  restart(config?: string): Promise<void>;
}

export interface AgentsWorldOptions {
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly disabled?: readonly string[];
  readonly isOpenai?: boolean;
}

export async function createAgentsWorld({
  config = "",
  env = {},
  disabled = [],
  isOpenai = false,
}: AgentsWorldOptions = {}): Promise<AgentsWorld> {
  await using building = new AsyncDisposableStack();
  const temp = building.use(await createTempFolder());
  const home = await realpath(temp.path);
  const [work, user, dataFolder] = [join(home, "work"), join(home, "user"), join(home, "data")];
  await mkdir(work);
  await mkdir(user);
  const model = building.use(await startRecordingModelServer({ isStrict: true, isOpenai }));
  const start = async (own: string): Promise<RunningHost> => {
    const provider = `providers.local = { kind = "openai-compatible", base_url = "${model.url}" }`;
    const off = `extensions.disabled = ${JSON.stringify(disabled)}`;
    const text = `model = "local/test"\nlisten.port = 0\n${provider}\n${off}\n${own}`;
    return createHost({
      config: parseConfig(text, "incipit.toml"),
      userFolder: user,
      dataFolder,
      cwd: work,
      env,
      writeLog: () => {},
    });
  };
  let host = await start(config);
  building.defer(() => host.close());
  const scope = building.move();
  const world: AgentsWorld = {
    work,
    user,
    home,
    model,
    get host() {
      return host;
    },
    get client() {
      return createClient(host);
    },
    async write(path, text) {
      const file = path.startsWith("/") ? path : join(work, path);
      await mkdir(dirname(file), { recursive: true });
      await Bun.write(file, text);
      return file;
    },
    async trust(...names) {
      const files: Record<string, string> = {};
      for (const name of names) files[name] = sha256(await Bun.file(join(work, name)).bytes());
      openTrustStore(dataFolder, () => undefined).trustAlso(work, files);
    },
    async begin(request = {}) {
      return (await world.client.call(routes.createConversation, { body: request })).conversation.id;
    },
    async turn(id, input) {
      const events: TurnEvent[] = [];
      for await (const event of world.client.sendTurn(id, { input })) events.push(event);
      return { events, body: model.requests.at(-1)?.body ?? "", end: events.at(-1) };
    },
    async restart(again = config) {
      await host.close();
      host = await start(again);
    },
    [Symbol.asyncDispose]: () => scope.disposeAsync(),
  };
  return world;
}

function sha256(bytes: Uint8Array | string): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

export async function refusalOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => ({ wasNotRefused: value }),
    (error: unknown) => error,
  );
}

export function agentFile(keys: string, prompt: string): string {
  return `---\n${keys}\n---\n\n${prompt}\n`;
}
