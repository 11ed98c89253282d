import type { Extension, ExtensionHealth, KernelOptions } from "@incipit/kernel";
import type { Conversation, ConversationId, TurnEvent } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { createClient, routes, type Client } from "@incipit/transport-contract";
import { join } from "node:path";
import { parseConfig } from "../config/parse-config.ts";
import { createHost, type RunningHost } from "../create-host.ts";

export interface SwapWorldOptions {
  readonly config?: (modelUrl: string) => string;
  readonly extensions?: readonly Extension[];
  /** A slow machine must not fail the test. */
  readonly timeouts?: Omit<KernelOptions, "drivers">;
}

export interface SwapWorld extends AsyncDisposable {
  readonly host: RunningHost;
  readonly client: Client;
  readonly model: RecordingModelServer;
  readonly cwd: string;
  readonly log: readonly string[];
  errors(): readonly string[];
  health(id: string): ExtensionHealth;
  createConversation(): Promise<ConversationId>;
  getConversation(id: ConversationId): Promise<Conversation>;
  texts(id: ConversationId): Promise<readonly string[]>;
}

function modelAlone(modelUrl: string): string {
  return `model = "local/test"\nlisten.port = 0\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${modelUrl}"\n`;
}

export async function createSwapWorld({
  config: configure = modelAlone,
  timeouts,
  ...options
}: SwapWorldOptions = {}): Promise<SwapWorld> {
  const folder = await createTempFolder();
  const model = await startRecordingModelServer();
  const config = parseConfig(configure(model.url), "incipit.toml");
  const log: string[] = [];
  const host = await createHost({
    config,
    dataFolder: join(folder.path, "data"),
    cwd: folder.path,
    env: {},
    writeLog: (line) => log.push(line),
    ...options,
    timeouts: {
      activateTimeoutMs: 120_000,
      releaseTimeoutMs: 120_000,
      holdTimeoutMs: 120_000,
      ...timeouts,
    },
  });
  const client = createClient(host);
  return {
    host,
    client,
    model,
    cwd: folder.path,
    log,
    errors: () => log.filter((line) => line.split(" ")[1] === "error"),
    health(id) {
      const found = host.kernel.list().find((extension) => extension.id === id);
      if (found === undefined) throw new Error(`There is no extension "${id}"`);
      return found;
    },
    async createConversation() {
      return (await client.call(routes.createConversation, { body: {} })).conversation.id;
    },
    async getConversation(id) {
      return (await client.call(routes.getConversation, { params: { id } })).conversation;
    },
    async texts(id) {
      const { messages } = await client.call(routes.listMessages, { params: { id }, query: { limit: 100 } });
      return messages.map(({ parts }) =>
        parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(""),
      );
    },
    async [Symbol.asyncDispose]() {
      await host.close();
      await model[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
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
