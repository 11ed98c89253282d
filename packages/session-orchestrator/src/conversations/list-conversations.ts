import type { Conversation } from "@incipit/schema";
import type { ListQuery, Page } from "@incipit/service-contract";
import { FilteredRecords } from "./filtered-records.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { toView } from "../conversation/loaded-conversation.ts";
import { readLastSeq, type LoadedConversations } from "./loaded-conversations.ts";
import { withServiceErrors } from "../failures/service-errors.ts";
import { activeTurnSchema, keys, type StoredConversation } from "../store/stored.ts";
import { hasWaiting } from "../turn/waiting-turns.ts";

/** Per call; with few matches the page is short, and the next one resumes. */
const maxLooks = 1_000;

export async function listConversations(
  context: OrchestratorContext,
  loaded: LoadedConversations,
  { cursor, limit, ...filter }: ListQuery,
): Promise<Page<Conversation>> {
  const records = new FilteredRecords(context, loaded, filter);
  const items: Conversation[] = [];
  let before = cursor;
  for (let looks = 0; looks < maxLooks && items.length < limit;) {
    const wanted = limit - items.length;
    const count = records.isExact ? wanted : Math.max(wanted, 100);
    const page = await records.before(before, Math.min(maxLooks - looks, count));
    looks += page.records.length + page.damaged;
    const fitting = page.records.filter((record) => records.fits(record));
    const taken = fitting.slice(0, wanted);
    const waiting = await waitingAmong(context, taken);
    const views = await Promise.all(taken.map((record) => viewOf(context, loaded, record, waiting)));
    items.push(...views.filter((view) => records.isWanted(view)));
    before = taken.length < fitting.length ? taken.at(-1)?.id : page.oldest;
    if (before === undefined) break;
  }
  return before === undefined ? { items } : { items, nextCursor: before };
}

const maxWaiting = 1_000;

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
  const found = await withServiceErrors(() => storage.list(range, activeTurnSchema));
  if (found.length + damaged === maxWaiting) return undefined;
  return new Set(found.map(({ value }) => value.conversationId));
}

/** A conversation that is not loaded is idle or waiting. */
export async function viewOf(
  context: OrchestratorContext,
  loaded: LoadedConversations,
  record: StoredConversation,
  waiting?: ReadonlySet<string>,
): Promise<Conversation> {
  const known = await loaded.known(record.id);
  if (known !== undefined) return known.view;
  const lastSeq = await withServiceErrors(() => readLastSeq(context, record.id));
  const isWaiting = waiting?.has(record.id) ?? (await withServiceErrors(() => hasWaiting(context, record.id)));
  return toView(record, { lastSeq, status: isWaiting ? "waiting" : "idle", approvals: [], questions: [] });
}
