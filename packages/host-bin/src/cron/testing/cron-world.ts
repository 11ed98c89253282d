import cron from "@incipit/cron";
import { defineExtension, type Extension, type JsonValue, type StorageDriver } from "@incipit/kernel";
import type { ScheduleRun } from "@incipit/schema";
import {
  conversationRecordsHandle,
  conversationsHandle,
  modelProvidersPoint,
  schedulesHandle,
  type ConversationsService,
  type ModelEvent,
  type Schedules,
} from "@incipit/service-contract";
import sessionOrchestrator from "@incipit/session-orchestrator";
import { createMemoryStorage, FakeClock, startExtension, type StartedExtension } from "@incipit/testkit";

const usage = { inputTokens: 8, outputTokens: 2, cacheReadTokens: null, cacheWriteTokens: null };

export interface CronWorldOptions {
  /** `[cron]`. */
  readonly cron?: Readonly<Record<string, JsonValue>>;
  /** What an earlier world has stored: a restart. */
  readonly storage?: StorageDriver;
  readonly clock?: FakeClock;
  /** What the model says to a message; absent: `HEARTBEAT_OK`. An error: the call fails. */
  readonly answer?: (asked: string) => string | Error | Promise<string>;
}

/** Schedules with the real orchestrator, on a clock that the test moves, beside a model that says what the test wants. */
export class CronWorld implements AsyncDisposable {
  readonly clock: FakeClock;
  readonly storage: StorageDriver;
  /** Every message that the model was asked to answer, in order. */
  readonly asked: string[] = [];
  readonly #started: StartedExtension;

  private constructor(started: StartedExtension, storage: StorageDriver, asked: string[]) {
    this.#started = started;
    this.clock = started.clock;
    this.storage = storage;
    this.asked = asked;
  }

  static async start(options: CronWorldOptions = {}): Promise<CronWorld> {
    const { storage = createMemoryStorage(), clock = new FakeClock() } = options;
    const asked: string[] = [];
    const started = await startExtension([cron, sessionOrchestrator, modelExtension(options, asked)], {
      // Days are counted in the machine's zone where none is named.
      config: { cron: { time_zone: "UTC", ...options.cron } },
      storage,
      clock,
      defaults: { model: "test/model" },
    });
    return new CronWorld(started, storage, asked);
  }

  get schedules(): Schedules {
    return this.#started.service(schedulesHandle);
  }

  get conversations(): ConversationsService {
    return this.#started.service(conversationsHandle);
  }

  get logs(): string {
    return this.#started.logs.map(({ level, message }) => `${level} ${message}`).join("\n");
  }

  /** Every user message that is stored in a conversation. */
  async said(conversationId: string): Promise<readonly string[]> {
    const conversations = await this.conversations.list({ limit: 1_000, archived: "all" });
    const found = conversations.items.find(({ id }) => id === conversationId);
    if (found === undefined) return [];
    const { items } = await this.#started
      .service(conversationRecordsHandle)
      .messages(found.id, { limit: 1_000, order: "oldest" });
    return items.flatMap((message) =>
      message.role === "user" ? message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
    );
  }

  /** Moves the time on, a minute at a time, so that what begins in between has its turn. */
  async minutes(count: number): Promise<void> {
    for (let minute = 0; minute < count; minute += 1) {
      await this.clock.advance(60_000);
      await this.rest();
    }
  }

  /** Resolves once nothing is due, and no run is under way or about to begin. */
  async rest(): Promise<void> {
    await this.clock.advanceUntil(
      (async () => {
        for (;;) {
          const [due] = await this.storage.list("cron/schedules", { prefix: "due/", limit: 1 });
          const isDue = due !== undefined && Number(due.key.slice(4, 19)) <= this.clock.now();
          const open = await this.storage.list("cron/schedules", { prefix: "open/", limit: 1 });
          if (!isDue && open.length === 0) return;
          await new Promise<void>((resolve) => setImmediate(resolve));
        }
      })(),
    );
  }

  async runs(id: string): Promise<readonly ScheduleRun[]> {
    return (await this.schedules.runs(id, { limit: 1_000 })).items;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#started[Symbol.asyncDispose]();
  }
}

function modelExtension({ answer = () => "HEARTBEAT_OK" }: CronWorldOptions, asked: string[]): Extension {
  return defineExtension(
    { id: "test.model", version: "1.0.0", api: "^1", contributes: ["model-providers@1"] },
    (host) =>
      host.contribute(modelProvidersPoint, {
        id: "test",
        models: ["model"],
        problem: null,
        async *stream({ messages, observe }): AsyncGenerator<ModelEvent> {
          const last = messages.at(-1)?.parts.find((part) => part.type === "text");
          const text = last?.type === "text" ? last.text : "";
          asked.push(text);
          const body = JSON.stringify(messages);
          const sha256 = new Bun.CryptoHasher("sha256").update(body).digest("hex");
          await observe({ method: "POST", url: "test:model", headers: {}, body, sha256, at: host.clock.now() });
          const said = await answer(text);
          if (said instanceof Error) {
            yield { type: "failure", error: { code: "FAILED", message: said.message, isRetryable: false } };
            return;
          }
          yield { type: "text-start", partId: "0" };
          yield { type: "text-delta", partId: "0", text: said };
          yield { type: "text-end", partId: "0" };
          yield { type: "finish", usage, finishReason: "stop" };
        },
      }),
  );
}

/** Storage that takes so many commits and then nothing any more, as a process that is killed: what is stored stays. */
export function cutAfter(
  storage: StorageDriver,
  commits: number,
): StorageDriver & { readonly isCut: () => boolean } {
  let left = commits;
  const gone = new Promise<never>(() => {});
  return {
    get: (namespace, key) => (left < 0 ? gone : storage.get(namespace, key)),
    list: (namespace, range) => (left < 0 ? gone : storage.list(namespace, range)),
    watch: (namespace, prefix, signal) => storage.watch(namespace, prefix, signal),
    atomic(checks, writes, options) {
      left -= 1;
      return left < 0 ? gone : storage.atomic(checks, writes, options);
    },
    isCut: () => left < 0,
  };
}
