import type { Conversation } from "@incipit/schema";
import type { ListQuery, Page } from "@incipit/service-contract";
import type { ArchivedIndex } from "./archived-index.ts";
import { FilteredRecords } from "./filtered-records.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { toView } from "../conversation/loaded-conversation.ts";
import { readLastSeq, type LoadedConversations } from "./loaded-conversations.ts";
import { inServiceWords } from "../failures/storage-failure.ts";
import { activeTurnSchema, keys, type StoredConversation } from "../store/stored.ts";
import { hasWaiting } from "../turn/waiting-turns.ts";

/** Records that one call looks at: where few fit the filter, the page is short, and the next one goes on behind it. */
const maxLooks = 1_000;

/** Newest first; a damaged record is left out, and does not end the list. */
export async function listConversations(
  context: OrchestratorContext,
  { loaded, index }: { readonly loaded: LoadedConversations; readonly index: ArchivedIndex },
  { cursor, limit, archived = "false" }: ListQuery,
): Promise<Page<Conversation>> {
  const records = new FilteredRecords(context, { index, archived });
  const found: StoredConversation[] = [];
  let before = cursor;
  for (let looks = 0; looks < maxLooks && found.length < limit;) {
    const wanted = limit - found.length;
    const count = archived === "all" || records.isFromIndex ? wanted : Math.max(wanted, 100);
    const page = await records.before(before, Math.min(maxLooks - looks, count));
    looks += page.records.length + page.damaged;
    const fitting = page.records.filter((record) => records.fits(record));
    const taken = fitting.slice(0, limit - found.length);
    found.push(...taken);
    before = taken.length < fitting.length ? taken.at(-1)?.id : page.oldest;
    if (before === undefined) break;
  }
  const waiting = await waitingAmong(context, found);
  const items = await Promise.all(found.map((record) => viewOf(context, loaded, record, waiting)));
  return before === undefined ? { items } : { items, nextCursor: before };
}

/** Turns that wait, of all conversations between two: they are few. */
const maxWaiting = 1_000;

/** Ids of those in which turns wait, read at once; `undefined`: there are so many that each has to be asked about. */
async function waitingAmong(
  { storage }: OrchestratorContext,
  records: readonly StoredConversation[],
): Promise<ReadonlySet<string> | undefined> {
  const [newest, oldest] = [records[0], records.at(-1)];
  if (newest === undefined || oldest === undefined) return new Set();
  let damaged = 0;
  const range = {
    start: keys.waitingOf(oldest.id),
    end: `${keys.waitingOf(newest.id)}~`,
    limit: maxWaiting,
    onInvalid: () => void (damaged += 1),
  };
  const found = await inServiceWords(() => storage.list(range, activeTurnSchema));
  if (found.length + damaged === maxWaiting) return undefined;
  return new Set(found.map(({ value }) => value.conversationId));
}

/**
 * In one that is not in memory nothing runs.
 * @param waiting Ids of all in which turns wait, where that is known.
 */
export async function viewOf(
  context: OrchestratorContext,
  loaded: LoadedConversations,
  record: StoredConversation,
  waiting?: ReadonlySet<string>,
): Promise<Conversation> {
  const known = await loaded.known(record.id);
  if (known !== undefined) return known.view;
  const lastSeq = await inServiceWords(() => readLastSeq(context, record.id));
  const isWaiting = waiting?.has(record.id) ?? (await inServiceWords(() => hasWaiting(context, record.id)));
  return toView(record, { lastSeq, status: isWaiting ? "waiting" : "idle", approvals: [] });
}
