import type { ConversationId, FileChangesQuery, Message } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { childIds } from "../store/child-ids.ts";
import { firstLeftOut, messagesFrom } from "./messages-from.ts";
import { byAge, foldersOfRemovedFiles, withOwnFolders } from "./own-folders.ts";
import { storedEntries } from "../store/stored-entries.ts";
import { storedMessageSchema } from "../store/stored-message.ts";
import {
  keys,
  storedConversationSchema,
  storedFileChangeSchema,
  type StoredConversation,
  type StoredFileChange,
} from "../store/stored.ts";

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

/** Unique across turns, unlike vendors' call ids. */
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
