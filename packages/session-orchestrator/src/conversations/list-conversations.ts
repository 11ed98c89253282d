import type { ArchivedFilter, Conversation } from "@incipit/schema";
import type { ListQuery, Page } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { toView } from "../conversation/loaded-conversation.ts";
import { readLastSeq, type LoadedConversations } from "./loaded-conversations.ts";
import { inServiceWords } from "../failures/storage-failure.ts";
import { keys, storedConversationSchema, type StoredConversation } from "../store/stored.ts";
import { hasWaiting } from "../turn/waiting-turns.ts";

/** Records that one call looks at: where few fit the filter, the page is short, and the next one goes on behind it. */
const maxLooks = 1_000;

/** Newest first; a damaged record is left out, and does not end the list. */
export async function listConversations(
  context: OrchestratorContext,
  loaded: LoadedConversations,
  { cursor, limit, archived }: ListQuery,
): Promise<Page<Conversation>> {
  const found: StoredConversation[] = [];
  let before = cursor;
  for (let looks = 0; looks < maxLooks && found.length < limit;) {
    const count = Math.min(maxLooks - looks, archived === "all" ? limit : Math.max(limit, 100));
    const page = await recordsBefore(context, before, count);
    looks += count;
    const fitting = page.records.filter((record) => fits(record, archived));
    const taken = fitting.slice(0, limit - found.length);
    found.push(...taken);
    before = taken.length < fitting.length ? taken.at(-1)?.id : page.oldest;
    if (before === undefined) break;
  }
  const items = await Promise.all(found.map((record) => viewOf(context, loaded, record)));
  return before === undefined ? { items } : { items, nextCursor: before };
}

export function fits({ archived }: StoredConversation, filter: ArchivedFilter = "false"): boolean {
  return filter === "all" || archived === (filter === "true");
}

/** The records that are older than the one with the id `before`, newest first; absent: from the newest one on. */
export async function recordsBefore(
  { storage, log }: OrchestratorContext,
  before: string | undefined,
  limit: number,
): Promise<{
  readonly records: readonly StoredConversation[];
  /** Id of the oldest one that was looked at; `undefined`: there are none behind it. */
  readonly oldest: string | undefined;
  /** How many could not be read. */
  readonly damaged: number;
}> {
  const prefix = keys.conversation("");
  const damaged: string[] = [];
  const onInvalid = (key: string, error: Error): void => {
    damaged.push(key);
    log.error("A damaged record was left out", { key, error: error.message });
  };
  const range = { start: prefix, end: keys.conversation(before ?? "~"), reverse: true, limit, onInvalid };
  const entries = await inServiceWords(() => storage.list(range, storedConversationSchema));
  const seen = [...entries.map(({ key }) => key), ...damaged].toSorted(); // Ids are ASCII.
  return {
    records: entries.map(({ value }) => value),
    oldest: seen.length < limit ? undefined : seen[0]?.slice(prefix.length),
    damaged: damaged.length,
  };
}

/** In one that is not in memory nothing runs. */
export async function viewOf(
  context: OrchestratorContext,
  loaded: LoadedConversations,
  record: StoredConversation,
): Promise<Conversation> {
  const known = await loaded.known(record.id);
  if (known !== undefined) return known.view;
  const lastSeq = await inServiceWords(() => readLastSeq(context, record.id));
  const isWaiting = await inServiceWords(() => hasWaiting(context, record.id));
  return toView(record, { lastSeq, status: isWaiting ? "waiting" : "idle", approvals: [] });
}
