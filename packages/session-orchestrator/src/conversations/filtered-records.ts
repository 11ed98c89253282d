import type { ArchivedFilter } from "@incipit/schema";
import type { ArchivedIndex } from "./archived-index.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { inServiceWords } from "../failures/storage-failure.ts";
import { recordsBefore, type RecordPage } from "./records-before.ts";
import { keys, storedConversationSchema, type StoredConversation } from "../store/stored.ts";

/** Looked at one by one, and not through the index, where at least one in so many fits: that costs less. */
const oneIn = 2;
/** Records that one look takes before it is known whether many fit. */
const maxLooked = 200;

interface FilteredPage extends RecordPage {
  /** Whether no conversation stands between them that does not fit. */
  readonly isGapless: boolean;
}

/**
 * Records for a filter, newest first. They are read in their order while most fit; else those that the index has, so that a
 * few among a million are found as fast as a few.
 */
export class FilteredRecords {
  readonly #context: OrchestratorContext;
  readonly #index: ArchivedIndex;
  readonly #archived: ArchivedFilter;
  #isSparse = false;

  constructor(
    context: OrchestratorContext,
    { index, archived }: { readonly index: ArchivedIndex; readonly archived: ArchivedFilter },
  ) {
    this.#context = context;
    this.#index = index;
    this.#archived = archived;
  }

  /** Also of those in the index: a record has the last word on what it is. */
  fits({ archived }: StoredConversation): boolean {
    return this.#archived === "all" || archived === (this.#archived === "true");
  }

  /** Whether the next ones are asked of the index: nearly all of them fit. */
  get isFromIndex(): boolean {
    return this.#isSparse && this.#index.isComplete;
  }

  /** At most so many of those that are older than `before`, among them ones that do not fit. */
  async before(before: string | undefined, limit: number): Promise<FilteredPage> {
    if (this.#archived === "all")
      return { ...(await recordsBefore(this.#context, before, limit)), isGapless: true };
    if (this.isFromIndex) return this.#indexedBefore(before, limit);
    const page = await recordsBefore(this.#context, before, Math.min(limit, maxLooked));
    const fitting = page.records.filter((record) => this.fits(record)).length;
    this.#isSparse = fitting * oneIn < page.records.length;
    return { ...page, isGapless: fitting === page.records.length };
  }

  async #indexedBefore(before: string | undefined, limit: number): Promise<FilteredPage> {
    const archived = this.#archived === "true";
    const ids = await inServiceWords(() => this.#index.idsBefore(before, { archived, limit }));
    const found = await Promise.all(ids.map((id) => this.#recordOf(id)));
    const records = found.filter((record) => record !== undefined);
    return {
      records,
      oldest: ids.length < limit ? undefined : ids.at(-1),
      damaged: ids.length - records.length,
      isGapless: false,
    };
  }

  /** `undefined`: it cannot be read, or it was deleted meanwhile. */
  async #recordOf(id: string): Promise<StoredConversation | undefined> {
    const { storage, log } = this.#context;
    const onInvalid = (key: string, error: Error): void =>
      log.error("A damaged record was left out", { key, error: error.message });
    const range = { prefix: keys.conversation(id), limit: 1, onInvalid };
    const [entry] = await inServiceWords(() => storage.list(range, storedConversationSchema));
    return entry?.value;
  }
}
