import type { Conversation, StatusFilter } from "@incipit/schema";
import type { ListQuery } from "@incipit/service-contract";
import { indexedIdsBefore, type IndexedFilter } from "./filter-index.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { withServiceErrors } from "../failures/service-errors.ts";
import type { LoadedConversations } from "./loaded-conversations.ts";
import { keys, storedConversationSchema, type StoredConversation } from "../store/stored.ts";
import { waitingConversationIds } from "../turn/waiting-turns.ts";

/** Scanning is cheaper than the index if at least one record in this many matches. */
const oneIn = 2;
const maxLooked = 200;

interface FilteredPage extends RecordPage {
  readonly isGapless: boolean;
}

/**
 * Status filters use loaded conversations and waiting turns; others scan records while most match, else the index.
 * The time does not depend on the total number.
 */
export class FilteredRecords {
  readonly #context: OrchestratorContext;
  readonly #loaded: LoadedConversations;
  readonly #indexed: IndexedFilter;
  readonly #status: StatusFilter | undefined;
  #isSparse = false;

  constructor(
    context: OrchestratorContext,
    loaded: LoadedConversations,
    { archived = "false", model, status }: Omit<ListQuery, "cursor" | "limit">,
  ) {
    this.#context = context;
    this.#loaded = loaded;
    this.#indexed = { archived, model };
    this.#status = status;
  }

  /** Also checks records from the index: the records are authoritative. */
  fits({ archived, model }: Pick<StoredConversation, "archived" | "model">): boolean {
    const { archived: side, model: wanted } = this.#indexed;
    return (side === "all" || archived === (side === "true")) && (wanted === undefined || model === wanted);
  }

  isWanted(conversation: Conversation): boolean {
    return this.fits(conversation) && (this.#status === undefined || statusFits(conversation, this.#status));
  }

  get isExact(): boolean {
    const { archived, model } = this.#indexed;
    return (archived === "all" && model === undefined) || this.#isByStatus || this.#isSparse;
  }

  /** Returns records before a place, which may include some that do not match. */
  async before(before: string | undefined, limit: number): Promise<FilteredPage> {
    if (this.#isByStatus) return this.#recordsOf(await this.#idsByStatus(before, limit), limit);
    if (this.#isSparse) {
      const { storage } = this.#context;
      const ids = await withServiceErrors(() => indexedIdsBefore(storage, before, { ...this.#indexed, limit }));
      return this.#recordsOf(ids, limit);
    }
    const page = await recordsBefore(this.#context, before, this.isExact ? limit : Math.min(limit, maxLooked));
    const fitting = page.records.filter((record) => this.fits(record)).length;
    this.#isSparse = fitting * oneIn < page.records.length;
    return { ...page, isGapless: fitting === page.records.length };
  }

  get #isByStatus(): boolean {
    return this.#status !== undefined && this.#status !== "idle";
  }

  /** Running work is always loaded; waiting turns are stored and mostly not loaded. */
  async #idsByStatus(before: string | undefined, limit: number): Promise<readonly string[]> {
    if (this.#status === "waiting")
      return withServiceErrors(() => waitingConversationIds(this.#context, { before, limit }));
    const wanted = this.#loaded.views().filter((view) => this.isWanted(view));
    const ids = wanted.map(({ id }) => id).filter((id) => before === undefined || id < before);
    return ids.toSorted().toReversed().slice(0, limit); // Ids are ASCII.
  }

  async #recordsOf(ids: readonly string[], limit: number): Promise<FilteredPage> {
    const found = await Promise.all(ids.map((id) => this.#recordOf(id)));
    const records = found.filter((record) => record !== undefined);
    return {
      records,
      oldest: ids.length < limit ? undefined : ids.at(-1),
      damaged: ids.length - records.length,
      isGapless: false,
    };
  }

  async #recordOf(id: string): Promise<StoredConversation | undefined> {
    const { storage, log } = this.#context;
    const onInvalid = (key: string, error: Error): void =>
      log.error("Skipped a damaged record", { key, error: error.message });
    const range = { prefix: keys.conversation(id), limit: 1, onInvalid };
    const [entry] = await withServiceErrors(() => storage.list(range, storedConversationSchema));
    return entry?.value;
  }
}

function statusFits({ status, approvals, questions }: Conversation, filter: StatusFilter): boolean {
  switch (filter) {
    case "asking":
      return approvals.length + questions.length > 0;
    case "busy":
      return status === "running" || status === "compacting";
    case "idle":
    case "running":
    case "compacting":
    case "waiting":
      return status === filter;
  }
}

interface RecordPage {
  readonly records: readonly StoredConversation[];
  readonly oldest: string | undefined;
  readonly damaged: number;
}

export async function recordsBefore(
  { storage, log }: OrchestratorContext,
  before: string | undefined,
  limit: number,
): Promise<RecordPage> {
  const prefix = keys.conversation("");
  const damaged: string[] = [];
  const onInvalid = (key: string, error: Error): void => {
    damaged.push(key);
    log.error("Skipped a damaged record", { key, error: error.message });
  };
  const range = { start: prefix, end: keys.conversation(before ?? "~"), reverse: true, limit, onInvalid };
  const entries = await withServiceErrors(() => storage.list(range, storedConversationSchema));
  const seen = [...entries.map(({ key }) => key), ...damaged].toSorted(); // Ids are ASCII.
  return {
    records: entries.map(({ value }) => value),
    oldest: seen.length < limit ? undefined : seen[0]?.slice(prefix.length),
    damaged: damaged.length,
  };
}
