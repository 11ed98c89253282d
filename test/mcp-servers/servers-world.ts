import type { ConversationId } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { createClient, type Client } from "@incipit/transport-contract";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { HostProcess } from "../support/host-process.ts";
import type { OtherServer } from "./servers.ts";

/** No listener: network requests of a server fail immediately. */
export const noNetwork = {
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1",
};

export interface CallOutcome {
  readonly isError: boolean;
  readonly text: string;
}

export class ServersWorld implements AsyncDisposable {
  readonly client: Client;
  readonly servers: readonly OtherServer[];
  readonly home: string;
  readonly #scope: AsyncDisposableStack;
  readonly #model: RecordingModelServer;
  readonly #id: ConversationId;

  private constructor(
    scope: AsyncDisposableStack,
    given: {
      readonly client: Client;
      readonly servers: readonly OtherServer[];
      readonly home: string;
      readonly model: RecordingModelServer;
      readonly id: ConversationId;
    },
  ) {
    this.#scope = scope;
    this.client = given.client;
    this.servers = given.servers;
    this.home = given.home;
    this.#model = given.model;
    this.#id = given.id;
  }

  static async start(
    serversOf: (folder: string) => readonly OtherServer[],
    urls: ReadonlyMap<string, string> = new Map(),
  ): Promise<ServersWorld> {
    const scope = new AsyncDisposableStack();
    const folder = await realpath(scope.use(await createTempFolder()).path);
    const model = scope.use(await startRecordingModelServer({ isStrict: true }));
    const cwd = join(folder, "work");
    await Bun.write(join(cwd, "a.js"), "var unused = 1;\n");
    const home = join(folder, "home");
    const env: Record<string, string> = { ...noNetwork, HOME: home, TMPDIR: join(folder, "tmp") };
    for (const name of ["home", "tmp"]) await mkdir(join(folder, name));
    const servers = serversOf(cwd);
    for (const server of servers) Object.assign(env, server.env);
    const config = join(folder, "incipit.toml");
    const provider = `[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`;
    const tables = servers.map((server) => tableOf(server, urls.get(server.name)));
    await Bun.write(config, `model = "local/test"\n${provider}${tables.join("")}`);
    const host = scope.use(await HostProcess.start({ data: join(folder, "data"), config, cwd, env }));
    const client = createClient({ url: host.url, token: host.token });
    const { id } = await host.createConversation({ cwd });
    return new ServersWorld(scope, { client, servers, home, model, id });
  }

  async callAll(): Promise<ReadonlyMap<string, CallOutcome>> {
    const calls = this.servers.map(({ name, call: { tool, input } }) => ({
      id: `${name}-${crypto.randomUUID()}`,
      name: `${name}__${tool}`,
      arguments: JSON.stringify(input),
    }));
    this.#model.enqueue({ kind: "tool-calls", calls }, { kind: "text", chunks: ["Done."] });
    const outcomes = new Map<string, CallOutcome>();
    for await (const event of this.client.sendTurn(this.#id, { input: "go" })) {
      if (event.type !== "tool-call-end") continue;
      const { name, error, output = "" } = event;
      const [server = ""] = name.split("__");
      outcomes.set(server, { isError: error !== undefined, text: error?.message ?? output });
    }
    return outcomes;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#scope.disposeAsync();
  }
}

function tableOf({ name, file, args = [], env = {} }: OtherServer, url: string | undefined): string {
  const target =
    url === undefined
      ? `command = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([file, ...args])}
env = ${JSON.stringify([...Object.keys(env), ...Object.keys(noNetwork)])}`
      : `url = ${JSON.stringify(url)}`;
  return `[mcp.servers.${name}]\n${target}\napprove = "allow"\ndefer = false\n`;
}
