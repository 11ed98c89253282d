import type { ConversationId, FileChangesQuery, Message } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { childIds, storedEntries } from "../store/read-page.ts";
import { storedMessageSchema } from "../store/stored-message.ts";
import {
  keys,
  storedConversationSchema,
  storedFileChangeSchema,
  type StoredConversation,
  type StoredFileChange,
} from "../store/stored.ts";
import { sep } from "node:path";

const pageSize = 200;
const maxForks = 1_000;

export interface UndoneChange extends StoredFileChange {
  readonly changeId: string;
  readonly conversationId: string;
}

export interface UndoneWork {
  readonly changes: readonly UndoneChange[];
  readonly messages: readonly Message[];
  readonly taskCalls: ReadonlySet<string>;
  /** Their files are gone; other files in them may still be removed. */
  readonly madeFolders: readonly string[];
}

export interface UndoneRange extends FileChangesQuery {
  readonly id: ConversationId;
}

type Task = StoredConversation & { readonly parent: NonNullable<StoredConversation["parent"]> };

/** Returns a name of a call that is unique across turns, unlike vendors' call ids. */
export function callName({ turnId, toolCallId }: { readonly turnId: string; readonly toolCallId: string }): string {
  return `${turnId} ${toolCallId}`;
}

/** @throws {ServiceError} `MESSAGE_UNKNOWN`, `RESTORATION_UNKNOWN` */
export async function undoneWork(
  context: OrchestratorContext,
  { id, from, restoration, copy }: UndoneRange,
): Promise<UndoneWork> {
  if (from === undefined) {
    const history: UndoneChange[] = [];
    for await (const source of withSources(context, id)) history.push(...(await changesOf(context, source)));
    const all = history.filter(({ by, conversationId }) => "restorationId" in by && conversationId === id);
    const of = copy === undefined ? undefined : await firstLeftOut(context, id, copy);
    const meant =
      restoration !== "newest"
        ? all.filter(({ by }) => "restorationId" in by && by.restorationId === restoration)
        : of === null
          ? []
          : activeRestores(all, of);
    const changes = withOwnFolders(meant, history);
    const madeFolders = foldersOfRemovedFiles(changes, history);
    if (changes.length > 0) return { changes, messages: [], taskCalls: new Set(), madeFolders };
    throw new ServiceError(
      "RESTORATION_UNKNOWN",
      `No files were put back in this conversation as "${restoration ?? "newest"}"`,
    );
  }
  const messages = [...(await messagesFrom(context, id, from))];
  const turnIds = new Set<string>(messages.map(({ turnId }) => turnId));
  const history: UndoneChange[] = [];
  const found: UndoneChange[] = [];
  const taskCalls = new Set<string>();
  // Changes before the fork are stored in its source.
  for await (const source of withSources(context, id)) {
    const own = await changesOf(context, source);
    history.push(...own);
    found.push(...own.filter(({ by }) => "turnId" in by && turnIds.has(by.turnId)));
    for await (const { id: task, parent } of tasksOf(context, source, turnIds)) {
      taskCalls.add(callName(parent));
      const ofTask = await changesOf(context, task);
      history.push(...ofTask);
      found.push(...ofTask.filter(({ by }) => "turnId" in by));
      for await (const { value } of storedEntries(context, keys.messages(task), storedMessageSchema))
        messages.push(value);
    }
  }
  const changes = withOwnFolders(found.toSorted(byAge), history);
  return { changes, messages, taskCalls, madeFolders: foldersOfRemovedFiles(changes, history) };
}

async function changesOf(context: OrchestratorContext, conversationId: string): Promise<readonly UndoneChange[]> {
  const prefix = keys.fileChanges(conversationId);
  const found: UndoneChange[] = [];
  for await (const { key, value } of storedEntries(context, prefix, storedFileChangeSchema))
    found.push({ ...value, conversationId, changeId: key.slice(prefix.length) });
  return found;
}

async function* withSources({ storage }: OrchestratorContext, id: string): AsyncGenerator<string, void> {
  let source: string | undefined = id;
  for (let count = 0; source !== undefined && count < maxForks; count += 1) {
    yield source;
    const record: StoredConversation | undefined = await storage.get(
      keys.conversation(source),
      storedConversationSchema,
    );
    source = record?.forkedFrom?.conversationId;
  }
}

async function* tasksOf(
  context: OrchestratorContext,
  id: string,
  turnIds: ReadonlySet<string> | undefined,
): AsyncGenerator<Task, void> {
  for (let before = "~"; ;) {
    const page = await childIds(context, id, { before, limit: pageSize });
    for (const child of page) {
      const record = await context.storage.get(keys.conversation(child), storedConversationSchema);
      if (record === undefined || record.parent === null) continue;
      if (turnIds?.has(record.parent.turnId) === false) continue;
      yield { ...record, parent: record.parent };
      yield* tasksOf(context, child, undefined);
    }
    const oldest = page.at(-1);
    if (oldest === undefined || page.length < pageSize) return;
    before = oldest;
  }
}

/**
 * The restores from one message on, without those since undone: undoing them again would revert the turns. A restore
 * of many files may be split. `changes` must be in order; `of` defaults to the message of the newest restore.
 */
export function activeRestores<Change extends Pick<StoredFileChange, "by"> & { readonly changeId: string }>(
  changes: readonly Change[],
  of?: string,
): readonly Change[] {
  const takenBack = new Set<string>();
  const found: Change[] = [];
  let message = of;
  for (const change of changes.toReversed()) {
    if (!("restorationId" in change.by) || takenBack.has(change.changeId)) continue;
    const { of: undone } = change.by;
    if ("changeIds" in undone) {
      for (const id of undone.changeIds) takenBack.add(id);
      continue;
    }
    message ??= undone.from;
    if (undone.from === message) found.push(change);
  }
  return found.toReversed();
}

/**
 * Newest first.
 *
 * @throws {ServiceError} `MESSAGE_UNKNOWN`
 */
async function messagesFrom(
  { storage }: OrchestratorContext,
  id: ConversationId,
  from: string,
): Promise<readonly Message[]> {
  const prefix = keys.messages(id);
  const found: Message[] = [];
  for (let end = `${prefix}~`; ;) {
    const page = await storage.list({ start: prefix, end, reverse: true, limit: pageSize }, storedMessageSchema);
    for (const { value } of page) {
      found.push(value);
      if (value.id === from) return found;
    }
    const oldest = page.at(-1);
    if (oldest !== undefined && page.length === pageSize) {
      end = oldest.key;
      continue;
    }
    const next = { action: "list-messages", conversationId: id } as const;
    throw new ServiceError("MESSAGE_UNKNOWN", `No message in this conversation has the id "${from}"`, { next });
  }
}

/** First message of a conversation missing in its fork; `null` without one, or if `copy` is not a fork. */
async function firstLeftOut(
  context: OrchestratorContext,
  id: ConversationId,
  copy: ConversationId,
): Promise<string | null> {
  const { storage } = context;
  const record = await storage.get(keys.conversation(copy), storedConversationSchema);
  if (record?.forkedFrom?.conversationId !== id) return null;
  const { messageId } = record.forkedFrom;
  if (messageId !== null) return (await messagesFrom(context, id, messageId)).at(-2)?.id ?? null;
  const prefix = keys.messages(id);
  const [first] = await storage.list({ start: prefix, end: `${prefix}~`, limit: 1 }, storedMessageSchema);
  return first?.value.id ?? null;
}

type Change = Pick<StoredFileChange, "by" | "path" | "after" | "missingFolders"> & { readonly changeId: string };

interface OwnFolder {
  readonly files: Set<string>;
  hasGone: boolean;
}

/**
 * Others have recreated a folder if it was removed with its last file, and existed again before the next file was
 * created. `history` includes `changes`, in any order.
 */
function withOwnFolders<Given extends Change>(
  changes: readonly Given[],
  history: readonly Change[],
): readonly Given[] {
  const lost = lostFolders(history);
  return changes.map((change) => {
    const { missingFolders, changeId } = change;
    if (missingFolders === undefined) return change;
    return { ...change, missingFolders: missingFolders.filter((folder) => (lost.get(folder) ?? "") <= changeId) };
  });
}

function foldersOfRemovedFiles(changes: readonly Change[], history: readonly Change[]): readonly string[] {
  const gone = new Map(
    history.toSorted(byAge).map(({ path, after, by }) => [path, after === null && "restorationId" in by]),
  );
  return changes.flatMap(({ path, missingFolders = [] }) => (gone.get(path) === true ? missingFolders : []));
}

function lostFolders(history: readonly Change[]): ReadonlyMap<string, string> {
  const own = new Map<string, OwnFolder>();
  const lost = new Map<string, string>();
  for (const { by, path, after, missingFolders = [], changeId } of history.toSorted(byAge)) {
    if (after !== null) for (const folder of missingFolders) own.set(folder, { files: new Set(), hasGone: false });
    for (const [folder, state] of own) {
      if (!path.startsWith(folder + sep)) continue;
      if (state.hasGone && !missingFolders.includes(folder)) {
        own.delete(folder);
        lost.set(folder, changeId);
      } else if (after !== null) state.files.add(path);
      else if (state.files.delete(path)) state.hasGone = state.files.size === 0 && "restorationId" in by;
    }
  }
  return lost;
}

function byAge(a: { readonly changeId: string }, b: { readonly changeId: string }): number {
  return a.changeId < b.changeId ? -1 : 1;
}
