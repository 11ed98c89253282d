import { examineFolder, openTrustStore, readFolderConfig } from "@incipit/host/trust";
import type { Extension, ExtensionHealth, KernelOptions, ServiceHandle } from "@incipit/kernel";
import type { Conversation, ConversationId, TurnEvent } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { createClient, routes, type Client } from "@incipit/transport-contract";
import { mkdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { coreSchema } from "../config/core-schema.ts";
import { parseConfig } from "../config/parse-config.ts";
import { createHost, type RunningHost } from "../create-host.ts";

export interface HostWorldOptions {
  /** TOML after the default model `local/test`, with "$HOME" for the folder, or a function that returns all of it. */
  readonly config?: string | ((modelUrl: string) => string);
  /** Called at each start. */
  readonly extensions?: () => readonly Extension[];
  /** Relative to the temporary folder. */
  readonly cwd?: string;
  readonly timeouts?: Omit<KernelOptions, "drivers">;
}

const bodySchema = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string().nullish() })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
});

interface HostWorldParts {
  readonly scope: AsyncDisposableStack;
  readonly home: string;
  readonly model: RecordingModelServer;
  readonly options: HostWorldOptions;
}

/** A slow machine must not fail a test. */
const timeouts = { activateTimeoutMs: 120_000, releaseTimeoutMs: 120_000, holdTimeoutMs: 120_000 };

/** A host in this process, with SQLite and HTTP in a temporary folder and a recording model server. */
export class HostWorld implements AsyncDisposable {
  readonly home: string;
  readonly cwd: string;
  readonly model: RecordingModelServer;
  readonly log: string[] = [];
  readonly #scope: AsyncDisposableStack;
  readonly #options: HostWorldOptions;
  #host: RunningHost | undefined;

  private constructor({ scope, home, model, options }: HostWorldParts) {
    this.#scope = scope;
    this.#options = options;
    this.home = home;
    this.cwd = join(home, options.cwd ?? "");
    this.model = model;
  }

  static async start(options: HostWorldOptions = {}): Promise<HostWorld> {
    await using scope = new AsyncDisposableStack();
    const home = await realpath(scope.use(await createTempFolder()).path);
    const model = scope.use(await startRecordingModelServer());
    const world = new HostWorld({ scope: scope.move(), home, model, options });
    await mkdir(world.cwd, { recursive: true });
    await world.#begin();
    return world;
  }

  get dataFolder(): string {
    return join(this.home, "data");
  }

  get host(): RunningHost {
    if (this.#host === undefined) throw new Error("There is no host");
    return this.#host;
  }

  get client(): Client {
    return createClient(this.host);
  }

  service<Service extends object>(handle: ServiceHandle<Service>): Service {
    return this.host.service(handle);
  }

  async restart(): Promise<void> {
    await this.host.close();
    await this.#begin();
  }

  async createConversation(): Promise<ConversationId> {
    return (await this.client.call(routes.createConversation, { body: {} })).conversation.id;
  }

  async getConversation(id: ConversationId): Promise<Conversation> {
    return (await this.client.call(routes.getConversation, { params: { id } })).conversation;
  }

  turn(id: ConversationId, input = "Hello"): Promise<readonly TurnEvent[]> {
    return Array.fromAsync(this.client.sendTurn(id, { input }));
  }

  async completeTurn(id: ConversationId, input: string): Promise<void> {
    const end = (await this.turn(id, input)).at(-1);
    if (end?.type !== "turn-end" || end.status !== "completed") throw new Error(JSON.stringify(end));
  }

  get sentPrompt(): string | undefined {
    return this.#lastBody().messages.find(({ role }) => role === "system")?.content ?? undefined;
  }

  get sentToolNames(): readonly string[] {
    return this.#lastBody().tools.map(({ function: { name } }) => name);
  }

  async texts(id: ConversationId): Promise<readonly string[]> {
    const { messages } = await this.client.call(routes.listMessages, { params: { id }, query: { limit: 100 } });
    return messages.map(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(""));
  }

  /** Writes a file below {@link home}. */
  async write(path: string, content: string | Uint8Array<ArrayBuffer>): Promise<void> {
    await Bun.write(join(this.home, path), content);
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.home, path), { recursive: true });
  }

  /** A folder below {@link home}, with its files as they are. */
  trust(path: string): void {
    const store = openTrustStore(this.dataFolder, () => undefined);
    const folderConfig = readFolderConfig(join(this.home, path));
    const { files, path: folder } = examineFolder(folderConfig, { store, schema: coreSchema });
    store.trust(folder, Object.fromEntries(files.map(({ name, sha256 }) => [name, sha256])));
  }

  errors(): readonly string[] {
    return this.log.filter((line) => line.split(" ")[1] === "error");
  }

  health(id: string): ExtensionHealth {
    const found = this.host.kernel.list().find((extension) => extension.id === id);
    if (found === undefined) throw new Error(`There is no extension "${id}"`);
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host?.close();
    await this.#scope[Symbol.asyncDispose]();
  }

  #lastBody(): z.infer<typeof bodySchema> {
    return bodySchema.parse(JSON.parse(this.model.requests.at(-1)?.body ?? "{}"));
  }

  async #begin(): Promise<void> {
    const { config = "", extensions = () => [] } = this.#options;
    const text =
      typeof config === "function"
        ? config(this.model.url)
        : `model = "local/test"
listen.port = 0
providers.local = { kind = "openai-compatible", base_url = "${this.model.url}" }
${config.replaceAll("$HOME", this.home)}
`;
    this.#host = await createHost({
      config: parseConfig(text, "incipit.toml"),
      dataFolder: this.dataFolder,
      cwd: this.cwd,
      userFolder: join(this.home, "user"),
      env: {},
      writeLog: (line) => this.log.push(line),
      extensions: extensions(),
      timeouts: { ...timeouts, ...this.#options.timeouts },
    });
  }
}
export function brokenVersion({ manifest }: Extension): Extension {
  return {
    manifest: { ...manifest, version: "9.9.9" },
    activate: () => {
      throw new Error("This version does not start");
    },
  };
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise<void>((resolve) => setImmediate(resolve));
}

export interface CollectedEvents {
  readonly events: readonly TurnEvent[];
  readonly ended: Promise<readonly TurnEvent[]>;
  has(type: TurnEvent["type"]): Promise<void>;
}

export function collect(source: AsyncIterable<TurnEvent>): CollectedEvents {
  const events: TurnEvent[] = [];
  let isOver = false;
  const read = async (): Promise<readonly TurnEvent[]> => {
    try {
      for await (const event of source) events.push(event);
      return events;
    } finally {
      isOver = true;
    }
  };
  const ended = read();
  ended.catch(() => undefined);
  return {
    events,
    ended,
    async has(type) {
      await until(() => isOver || events.some((event) => event.type === type));
      if (!events.some((event) => event.type === type)) throw new Error(`The stream ended without "${type}"`);
    },
  };
}

/** A later request of the conversation has to begin with these bytes. */
export function prefixOf(body: string | undefined): string {
  if (body?.endsWith("]}") !== true) throw new Error(`The messages are not at the end of the body: ${body}`);
  return body.slice(0, -"]}".length);
}
