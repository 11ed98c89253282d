import {
  createKernel,
  defineExtension,
  storageDriverHandle,
  type Drivers,
  type Extension,
  type Host,
  type JsonValue,
  type Kernel,
  type ServiceHandle,
  type StorageDriver,
  type Trust,
} from "@incipit/kernel";
import type {
  ConversationId,
  CreateTurnRequest,
  FinishReason,
  ModelFacts,
  ModelPrices,
  TurnEvent,
  TurnId,
} from "@incipit/schema";
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

export type Script = (request: ModelRequest) => AsyncIterable<ModelEvent>;

const noFacts: Omit<ModelFacts, "prices"> = {
  contextWindow: null,
  maxOutputTokens: null,
  inputs: [],
  source: "a test",
};

const contributes = ["model-providers@1", "tools@1", "tool-sources@1", "work-observers@1"] as const;

export const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: null, cacheWriteTokens: null };
export const finish = { type: "finish", usage, finishReason: "stop" } as const satisfies ModelEvent;
const finishCalls = { ...finish, finishReason: "tool-calls" } as const;

/** A picture of one pixel. */
export const pixel = {
  type: "file",
  mediaType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  filename: "a.png",
} as const;

/** The same reply, which ends for another reason. */
export async function* ending(
  reply: AsyncIterable<ModelEvent>,
  finishReason: FinishReason,
): AsyncGenerator<ModelEvent> {
  for await (const event of reply) yield event.type === "finish" ? { ...event, finishReason } : event;
}

export async function* taking(tokens: number, reply: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  for await (const event of reply)
    yield event.type === "finish" ? { ...event, usage: { ...usage, inputTokens: tokens - 1 } } : event;
}

export async function* say(...texts: readonly string[]): AsyncGenerator<ModelEvent> {
  yield { type: "text-start", partId: "0" };
  for (const text of texts) yield { type: "text-delta", partId: "0", text };
  yield { type: "text-end", partId: "0" };
  yield finish;
}

export async function* call(
  ...calls: readonly { readonly toolCallId: string; readonly name: string; readonly input: string }[]
): AsyncGenerator<ModelEvent> {
  for (const entry of calls) yield { type: "tool-call", ...entry };
  yield finishCalls;
}

/** A call of one tool, with the id "1" unless given. */
export const callOne =
  (name: string, input = "{}", toolCallId = "1"): Script =>
  () =>
    call({ toolCallId, name, input });

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
  service<Service extends object>(handle: ServiceHandle<Service>): Service;
  /** Runs a turn to its end. */
  turn(id: ConversationId, input: Input, more?: TurnOptions): Promise<readonly TurnEvent[]>;
  /** Runs a turn to its end in a new conversation, whose model replies with the scripts. */
  ask(
    input: Input,
    ...scripts: readonly Script[]
  ): Promise<{ readonly id: ConversationId; readonly events: readonly TurnEvent[] }>;
  /** Sends a message and returns when an event of the type is seen; by default in a new conversation. */
  begin(
    shown: TurnEvent["type"],
    script: Script,
    at?: { readonly id?: ConversationId; readonly input?: Input },
  ): Promise<BegunTurn>;
  /** Returns the events of a turn once it has ended. */
  ended(id: ConversationId, turnId: TurnId): Promise<readonly TurnEvent[]>;
  /** Returns all events up to the newest one. */
  events(id: ConversationId, afterSeq?: number): Promise<readonly TurnEvent[]>;
  /** Runs a turn to its end and answers its requests for approval; by default in a new conversation. */
  approve(
    answer: Decision | ((request: ApprovalRequest) => Decision | Promise<Decision>),
    at?: { readonly id?: ConversationId; readonly input?: Input; readonly script?: Script },
  ): Promise<{
    readonly id: ConversationId;
    readonly events: readonly TurnEvent[];
    readonly requests: readonly ApprovalRequest[];
  }>;
  /** Adds an extension that may contribute tools, tool sources, model providers and observers. */
  add(id: string, activate: (host: Host) => void | Promise<void>, trust?: Trust): Promise<void>;
}

export type ApprovalRequest = Extract<TurnEvent, { type: "approval-request" }>;

type Input = CreateTurnRequest["input"];
type TurnOptions = Omit<CreateTurnRequest, "input" | "command">;
export type Decision = "allow" | "allow-always" | "deny";

interface BegunTurn {
  readonly id: ConversationId;
  readonly turnId: TurnId;
  readonly afterSeq: number;
  readonly seen: readonly TurnEvent[];
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
          contributes,
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
  const world: World = {
    kernel,
    clock,
    storage,
    requests,
    scripts,
    conversations,
    records,
    approvals,
    logged,
    service(handle) {
      const service = kernel.service(handle);
      if (service === undefined) throw new Error(`There is no service "${handle.id}"`);
      return service;
    },
    async turn(id, input, more = {}) {
      const sent = await conversations.send(id, { input, ...more });
      return collect(conversations.follow(id, sent));
    },
    async ask(input, ...replies) {
      const { id } = await conversations.create({});
      scripts.push(...replies);
      return { id, events: await world.turn(id, input) };
    },
    async begin(shown, script, { id: given, input = "go" } = {}) {
      const id = given ?? (await conversations.create({})).id;
      scripts.push(script);
      const sent = await conversations.send(id, { input });
      return { id, ...sent, seen: await until(conversations.follow(id, { afterSeq: sent.afterSeq }), shown) };
    },
    ended: (id, turnId) => collect(conversations.follow(id, { afterSeq: 0, turnId })),
    async events(id, afterSeq = 0) {
      const { lastSeq } = await conversations.get(id);
      const events: TurnEvent[] = [];
      if (lastSeq === afterSeq) return events;
      for await (const event of conversations.follow(id, { afterSeq })) {
        events.push(event);
        if (event.seq === lastSeq) break;
      }
      return events;
    },
    async approve(answer, { id: given, input = "go", script } = {}) {
      const id = given ?? (await conversations.create({})).id;
      if (script !== undefined) scripts.push(script);
      const events: TurnEvent[] = [];
      const asked: ApprovalRequest[] = [];
      for await (const event of conversations.follow(id, await conversations.send(id, { input }))) {
        events.push(event);
        if (event.type !== "approval-request") continue;
        asked.push(event);
        const decision = typeof answer === "string" ? answer : await answer(event);
        await approvals.answerApproval(id, event.approvalId, { decision });
      }
      return { id, events, requests: asked };
    },
    add: (id, activate, trust) =>
      kernel.add([
        {
          extension: defineExtension({ id, version: "1.0.0", api: "^1", contributes }, activate),
          ...(trust === undefined ? {} : { trust }),
        },
      ]),
    [Symbol.asyncDispose]: () => clock.advanceUntil(kernel.close()),
  };
  return world;
}

/** Returns what a promise resolves to, or the reason of its rejection. */
export function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: unknown) => error);
}

/** Reads all pages of a list. */
export async function allPages<Page extends { readonly nextCursor?: string | undefined }>(
  read: (cursor: { readonly cursor?: string }) => Promise<Page>,
): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await read(cursor === undefined ? {} : { cursor });
    pages.push(page);
    cursor = page.nextCursor;
    if (cursor === undefined) return pages;
  }
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
