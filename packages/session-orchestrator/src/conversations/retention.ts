import { errorMessage, type Storage } from "@incipit/kernel";
import { conversationIdSchema, lazySchema } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { BusyConversations } from "../turn/turn-jobs.ts";
import type { LoadedConversations } from "./loaded-conversations.ts";
import { keys, type DeletedWire } from "../store/stored.ts";
import { deleteRequests, hasNewer, type DeleteRequests } from "../records/delete-requests.ts";
import * as z from "zod";

const hourMs = 3_600_000;
const dayMs = 86_400_000;
const bytesOfMegabyte = 1_000_000;
const deletedAtOnce = 1_000;
const soonMs = 1_000;

interface RetentionOptions {
  readonly loaded: LoadedConversations;
  readonly held: BusyConversations;
  readonly signal: AbortSignal;
  /** No other generation works on conversations. */
  readonly isAlone: () => boolean;
}

export class Retention {
  readonly #context: OrchestratorContext;
  readonly #options: RetentionOptions;

  constructor(context: OrchestratorContext, options: RetentionOptions) {
    this.#context = context;
    this.#options = options;
  }

  async start(): Promise<void> {
    const { keepDays, keepMegabytes } = this.#context.settings.records;
    if (keepDays === 0 && keepMegabytes === 0) return;
    await this.#context.start.wait(this.#options.signal);
    this.#runAndWait();
  }

  #runAndWait(): void {
    const { clock, log } = this.#context;
    const { signal } = this.#options;
    if (signal.aborted) return;
    const again = (delayMs: number): void => {
      if (signal.aborted) return;
      const cancel = clock.setTimer(() => {
        signal.removeEventListener("abort", cancel);
        this.#runAndWait();
      }, delayMs);
      signal.addEventListener("abort", cancel, { once: true });
    };
    this.#run().then(
      (isDone) => again(isDone ? hourMs : soonMs),
      (error: unknown) => {
        if (signal.aborted) return;
        const message = errorMessage(error);
        log.error("Cannot delete expired request records; retrying in an hour", {
          error: message,
        });
        again(hourMs);
      },
    );
  }

  async #run(): Promise<boolean> {
    const { keepDays, keepMegabytes } = this.#context.settings.records;
    if (!this.#options.isAlone()) return true;
    const byAge = keepDays === 0 ? [] : await this.#olderThan(this.#context.clock.now() - keepDays * dayMs);
    if (byAge.length > 0) return this.#delete(byAge, { rule: "keep_days", limit: keepDays });
    const bySize = keepMegabytes === 0 ? [] : await this.#moreThan(keepMegabytes * bytesOfMegabyte);
    return bySize.length === 0 || this.#delete(bySize, { rule: "keep_megabytes", limit: keepMegabytes });
  }

  async #olderThan(ms: number): Promise<readonly RecordAge[]> {
    const found: RecordAge[] = [];
    for await (const page of recordAges(this.#context.storage)) {
      const old = page.filter(({ stepId }) => timeOf(stepId) < ms);
      found.push(...old);
      if (old.length < page.length || found.length >= deletedAtOnce) break;
    }
    return found.slice(0, deletedAtOnce);
  }

  async #moreThan(maxBytes: number): Promise<readonly RecordAge[]> {
    const oldest: RecordAge[] = [];
    let totalBytes = 0;
    for await (const page of recordAges(this.#context.storage)) {
      for (const age of page) totalBytes += age.sizeBytes;
      oldest.push(...page.slice(0, deletedAtOnce - oldest.length));
    }
    const found: RecordAge[] = [];
    for (const age of oldest) {
      if (totalBytes <= maxBytes) break;
      found.push(age);
      totalBytes -= age.sizeBytes;
    }
    return found;
  }

  async #delete(ages: readonly RecordAge[], rule: Pick<DeletedWire, "rule" | "limit">): Promise<boolean> {
    const { signal } = this.#options;
    const mark = { ...rule, deletedAt: this.#context.clock.now() };
    let deleted = 0;
    for (const [conversationId, group] of Map.groupBy(ages, (age) => age.conversationId)) {
      signal.throwIfAborted();
      deleted += await this.#deleteOf({ conversationId, stepIds: group.map(({ stepId }) => stepId), mark });
    }
    if (deleted > 0) this.#context.log.info("Recorded requests were deleted", { count: deleted, ...rule });
    return deleted === 0;
  }

  /** Keeps the newest request of a running conversation, because the next one is compared with it. */
  async #deleteOf(request: DeleteRequests): Promise<number> {
    const { storage } = this.#context;
    const { conversationId, stepIds } = request;
    const last = stepIds.at(-1);
    if (last === undefined) return 0;
    if (await hasNewer(storage, conversationId, last)) {
      await deleteRequests(storage, request);
      return stepIds.length;
    }
    const { loaded, held } = this.#options;
    const id = conversationIdSchema.safeParse(conversationId).data;
    const conversation = id && (await loaded.load(id).catch(unlessUnknown));
    if (conversation !== undefined && (!conversation.work.isIdle || held.has(conversationId))) {
      await deleteRequests(storage, { ...request, stepIds: stepIds.slice(0, -1) });
      return stepIds.length - 1;
    }
    if (conversation === undefined) {
      await deleteRequests(storage, request);
      return stepIds.length;
    }
    await held.hold(conversationId, () =>
      conversation.work.enqueue(async () => {
        conversation.requests.forgetStored();
        await deleteRequests(storage, request);
      }),
    );
    return stepIds.length;
  }
}

/** An unreadable conversation has no running work, so its records can be deleted. */
function unlessUnknown(error: unknown): undefined {
  if (ServiceError.is(error) && (error.code === "CONVERSATION_UNKNOWN" || error.code === "STORED_DATA_DAMAGED"))
    return;
  throw error;
}

/** The first 48 bits of a UUIDv7 (https://www.rfc-editor.org/rfc/rfc9562#section-5.7). */
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

const recordAgeSchema = lazySchema(() =>
  z.object({ conversationId: z.string(), sizeBytes: z.int().nonnegative() }),
);

interface RecordAge extends z.infer<typeof recordAgeSchema> {
  readonly stepId: string;
}

/** About a millisecond per page; there may be millions, read at each start and every hour. */
const pageSize = 200;

/** Skips damaged records, which the kernel reports. */
async function* recordAges(storage: Storage): AsyncGenerator<readonly RecordAge[]> {
  const prefix = keys.recordAges;
  for (let start: string = prefix; ;) {
    const range = { start, end: `${prefix}~`, limit: pageSize };
    const damaged: string[] = [];
    const page = await storage.list({ ...range, onInvalid: (key) => damaged.push(key) }, recordAgeSchema);
    yield page.map(({ key, value }) => ({ ...value, stepId: key.slice(prefix.length) }));
    const lastKey = [...page.map(({ key }) => key), ...damaged].toSorted().at(-1); // Keys are ASCII.
    if (lastKey === undefined) return;
    start = `${lastKey} `; // A space sorts before all following characters.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
