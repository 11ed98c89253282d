import {
  createKernel,
  defineExtension,
  storageDriverHandle,
  type Drivers,
  type Extension,
  type JsonValue,
  type Kernel,
  type StorageDriver,
} from "@incipit/kernel";
import type { ConversationId, CreateTurnRequest, ModelFacts, ModelPrices, TurnEvent } from "@incipit/schema";
import {
  approvalsHandle,
  conversationRecordsHandle,
  conversationsHandle,
  hostDefaultsHandle,
  modelProvidersPoint,
  systemPromptHandle,
  toolSourcesPoint,
  toolsPoint,
  type ApprovalsService,
  type ConversationRecordsService,
  type ConversationsService,
  type HostDefaults,
  type ModelEvent,
  type ModelProvider,
  type ModelRequest,
  type SessionRequest,
  type SystemPromptService,
  type Tool,
  type ToolSource,
} from "@incipit/service-contract";
import { createMemoryStorage, FakeClock } from "@incipit/testkit";
import { createHash } from "node:crypto";
import orchestrator from "../extension.ts";

type Script = (request: ModelRequest) => AsyncIterable<ModelEvent>;

const noFacts: Omit<ModelFacts, "prices"> = {
  contextWindow: null,
  maxOutputTokens: null,
  inputs: [],
  source: "a test",
};

const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: null, cacheWriteTokens: null };

export async function* taking(tokens: number, reply: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  for await (const event of reply)
    yield event.type === "finish" ? { ...event, usage: { ...usage, inputTokens: tokens - 1 } } : event;
}

export async function* say(...texts: readonly string[]): AsyncGenerator<ModelEvent> {
  yield { type: "text-start", partId: "0" };
  for (const text of texts) yield { type: "text-delta", partId: "0", text };
  yield { type: "text-end", partId: "0" };
  yield { type: "finish", usage, finishReason: "stop" };
}

export async function* call(
  ...calls: readonly { readonly toolCallId: string; readonly name: string; readonly input: string }[]
): AsyncGenerator<ModelEvent> {
  for (const entry of calls) yield { type: "tool-call", ...entry };
  yield { type: "finish", usage, finishReason: "tool-calls" };
}

export async function* fail(code: string, isRetryable: boolean, retryAfterMs?: number): AsyncGenerator<ModelEvent> {
  yield {
    type: "failure",
    error: { code, message: `It is ${code}`, isRetryable, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  };
}

export async function* stall({ signal }: ModelRequest, text = "par"): AsyncGenerator<ModelEvent> {
  yield { type: "text-start", partId: "0" };
  yield { type: "text-delta", partId: "0", text };
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  yield { type: "failure", error: { code: "FAILED", message: "Stopped", isRetryable: false } };
}

export interface WorldOptions {
  readonly storage?: StorageDriver;
  readonly tools?: readonly Tool[];
  readonly toolSources?: readonly ToolSource[];
  readonly prompts?: readonly string[];
  readonly assertTrusted?: SystemPromptService["assertTrusted"];
  readonly hasPromptConflict?: boolean;
  readonly settings?: Readonly<Record<string, JsonValue>>;
  readonly defaults?: Partial<HostDefaults>;
  /** Whether the model accepts any file. */
  readonly takesFiles?: true;
  /** The model's window in tokens; absent: unknown. */
  readonly contextWindow?: number | (() => Promise<number>);
  readonly prices?: ModelPrices | ModelProvider["facts"];
  /** The test ends the start with `kernel.finishStart()`. */
  readonly isStarting?: boolean;
  readonly links?: Readonly<Record<string, string>>;
  readonly scripts?: readonly Script[];
  readonly startMs?: number;
  readonly modelUrl?: string;
  readonly session?: SessionRequest;
  readonly identity?: string;
  readonly refusesTool?: NonNullable<ModelProvider["refusesTool"]>;
  readonly lookup?: "in-requests" | "with-results";
}

export interface World extends AsyncDisposable {
  readonly kernel: Kernel;
  readonly clock: FakeClock;
  readonly storage: StorageDriver;
  readonly requests: ModelRequest[];
  readonly scripts: Script[];
  readonly conversations: ConversationsService;
  readonly records: ConversationRecordsService;
  readonly approvals: ApprovalsService;
  readonly logged: readonly string[];
  turn(id: ConversationId, input: CreateTurnRequest["input"], model?: string): Promise<readonly TurnEvent[]>;
}

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const clock = new FakeClock(options.startMs);
  const storage = options.storage ?? createMemoryStorage();
  const requests: ModelRequest[] = [];
  const logged: string[] = [];
  const scripts: Script[] = [...(options.scripts ?? [])];
  const { modelUrl: url = "test:model" } = options;
  const provider: ModelProvider = {
    id: "test",
    models: ["model"],
    problem: null,
    ...(options.session === undefined ? {} : { runsOwnTools: true }),
    ...(options.identity === undefined ? {} : { identity: options.identity }),
    ...(options.refusesTool === undefined ? {} : { refusesTool: options.refusesTool }),
    ...(options.lookup === undefined ? {} : { takesLookedUpTools: () => options.lookup }),
    ...(options.takesFiles === undefined ? {} : { acceptsFile: () => true }),
    contextWindow: async () =>
      typeof options.contextWindow === "function" ? options.contextWindow() : options.contextWindow,
    facts: (name) => {
      const { prices } = options;
      if (typeof prices === "function") return prices(name);
      return Promise.resolve(prices === undefined ? undefined : { ...noFacts, prices });
    },
    async *stream(request) {
      requests.push(request);
      const body = JSON.stringify({ system: request.systemPrompt, messages: request.messages });
      const sha256 = createHash("sha256").update(body).digest("hex");
      await request.observe({ method: "POST", url, headers: {}, body, sha256, at: clock.now() }, options.session);
      yield* scripts.shift()?.(request) ?? say(`Reply ${requests.length}`);
    },
  };
  const kernel = createKernel({
    drivers: drivers({ clock, logged, links: options.links ?? {} }, { ...options.settings }),
  });
  kernel.provide(hostDefaultsHandle, {
    model: "test/model",
    cwd: "/work",
    promptRefresh: "compaction",
    profiles: [],
    ...options.defaults,
  });
  await kernel.add(
    [
      defineExtension({ id: "test.storage", version: "1.0.0", api: "^1", provides: ["storage-driver@1"] }, (host) =>
        host.provideService(storageDriverHandle, storage),
      ),
      defineExtension(
        {
          id: "test.model",
          version: "1.0.0",
          api: "^1",
          contributes: ["model-providers@1", "tools@1", "tool-sources@1"],
        },
        (host) => {
          host.contribute(modelProvidersPoint, provider);
          for (const tool of options.tools ?? []) host.contribute(toolsPoint, tool);
          for (const source of options.toolSources ?? []) host.contribute(toolSourcesPoint, source);
        },
      ),
      ...(options.prompts === undefined ? [] : [promptBuilder(options.prompts, options)]),
      orchestrator,
    ].map((extension) => ({ extension })),
  );
  if (options.isStarting !== true) kernel.finishStart();
  const conversations = kernel.service(conversationsHandle);
  const records = kernel.service(conversationRecordsHandle);
  const approvals = kernel.service(approvalsHandle);
  if (conversations === undefined || records === undefined || approvals === undefined)
    throw new Error(JSON.stringify(kernel.list()));
  return {
    kernel,
    clock,
    storage,
    requests,
    scripts,
    conversations,
    records,
    approvals,
    logged,
    async turn(id, input, model) {
      const { turnId, afterSeq } = await conversations.send(id, {
        input,
        ...(model === undefined ? {} : { model }),
      });
      return collect(conversations.follow(id, { afterSeq, turnId }));
    },
    [Symbol.asyncDispose]: () => clock.advanceUntil(kernel.close()),
  };
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export async function until(
  events: AsyncIterable<TurnEvent>,
  type: TurnEvent["type"],
): Promise<readonly TurnEvent[]> {
  const seen: TurnEvent[] = [];
  for await (const event of events) {
    seen.push(event);
    if (event.type === type) return seen;
  }
  return seen;
}

function promptBuilder(
  prompts: readonly string[],
  { hasPromptConflict = false, assertTrusted = async () => {} }: WorldOptions,
): Extension {
  return defineExtension(
    {
      id: "test.prompts",
      version: "1.0.0",
      api: "^1",
      capabilities: { storage: true },
      provides: ["system-prompt@1"],
    },
    (host) => {
      const storage = host.storage("prompts");
      const waiting = [...prompts];
      const schema = {
        "~standard": {
          version: 1,
          vendor: "test",
          validate: (value: unknown) =>
            typeof value === "string" ? { value } : { issues: [{ message: "no text" }] },
        },
      } as const;
      const unused = (): never => {
        throw new Error("The test does not use it");
      };
      const service: SystemPromptService = {
        assertTrusted,
        async prepare(conversationId, _cwd, context) {
          const text = waiting.shift() ?? "no prompt is left";
          const sha256 = createHash("sha256").update(text).digest("hex");
          return {
            text,
            sha256,
            sizeBytes: Buffer.byteLength(text),
            batch: storage.batch(
              hasPromptConflict && context?.reason === "compaction" ? [{ key: "nothing", version: 1 }] : [],
              [{ kind: "set", key: conversationId, value: text }],
            ),
          };
        },
        async construct(conversationId, cwd, context) {
          const { text, batch } = await service.prepare(conversationId, cwd, context);
          await storage.atomic([], [], { join: [batch] });
          return text;
        },
        forget: (conversationId) => storage.delete(conversationId),
        get: async (conversationId) => (await storage.get(conversationId, schema)) ?? null,
        describe: async () => ({
          systemPrompt: "",
          sha256: "0".repeat(64),
          reason: "first-turn",
          constructedAt: null,
          templateVersion: null,
          by: null,
          note: null,
        }),
        applyRequestTier: async (_id, _cwd, tier) => tier.system,
        exportPrompt: async (conversationId) => (await storage.get(conversationId, schema)) ?? null,
        importPrompt: async (conversationId, exported) =>
          storage.batch([], [{ kind: "set", key: conversationId, value: exported }]),
        copyPrompt: async (fromConversationId, { to }) => {
          const kept = await storage.get(fromConversationId, schema);
          return kept === undefined ? null : storage.batch([], [{ kind: "set", key: to, value: kept }]);
        },
        explain: async () => null,
        preview: unused,
        resolveCall: unused,
        getTemplate: unused,
        setTemplate: unused,
        deleteTemplate: unused,
        getVariables: unused,
      };
      host.provideService(systemPromptHandle, service);
    },
  );
}

function drivers(
  {
    clock,
    logged,
    links,
  }: {
    readonly clock: FakeClock;
    readonly logged: string[];
    readonly links: Readonly<Record<string, string>>;
  },
  settings: JsonValue,
): Drivers {
  const note = (message: string): void => void logged.push(message);
  const log = { debug: () => {}, info: note, warn: note, error: note };
  const unused = (): never => {
    throw new Error("The test grants nothing of the kind");
  };
  return {
    clock,
    fs: () => ({
      readFile: unused,
      readFolder: unused,
      locate: unused,
      writeFile: unused,
      removeFile: unused,
      list: async (_path, { cwd }) => ({ kind: "listed", entries: [], leftOut: 0, path: links[cwd] ?? cwd }),
    }),
    spawn: unused,
    net: unused,
    env: unused,
    listen: unused,
    log: () => log,
    config: (id) => (id === "session-orchestrator" ? settings : {}),
  };
}

/** Pending deltas are stored at the end of an event loop turn. */
export async function untilStored(): Promise<void> {
  for (let turns = 0; turns < 2; turns += 1) await new Promise((resolve) => setImmediate(resolve));
}
