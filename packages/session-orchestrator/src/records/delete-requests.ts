import type { Storage, StorageCheck, StorageWrite } from "@incipit/kernel";
import { anyWireSchema, keys, recordedSystemSchema, type DeletedWire, callsOwner } from "../store/stored.ts";
import { keysOfCall } from "../store/record-kinds.ts";
import { ageWrite, readText } from "./wire-records.ts";
import * as z from "zod";

/** Per commit, so that turns are not delayed. */
const deletedAtOnce = 32;

export interface DeleteRequests {
  readonly conversationId: string;
  readonly stepIds: readonly string[];
  readonly mark: DeletedWire;
}

export async function hasNewer(storage: Storage, conversationId: string, stepId: string): Promise<boolean> {
  const prefix = keys.wires(conversationId);
  const range = { start: `${prefix}${stepId} `, end: `${prefix}~`, limit: 1, onInvalid: () => undefined };
  return (await storage.list(range, z.unknown())).length > 0;
}

/**
 * Also deletes unused system messages. Remaining requests stay readable throughout: the first one is stored
 * completely first, then others are deleted newest first.
 */
export async function deleteRequests(
  storage: Storage,
  { conversationId, stepIds, mark }: DeleteRequests,
): Promise<void> {
  const last = stepIds.at(-1);
  if (last === undefined) return;
  const next = await writeNextWhole(storage, conversationId, last);
  if (next === null) return; // Retried by the next run.
  const newestFirst = stepIds.toReversed();
  for (let from = 0; from < newestFirst.length; from += deletedAtOnce) {
    const checks: StorageCheck[] = [];
    const writes: StorageWrite[] = [];
    for (const stepId of newestFirst.slice(from, from + deletedAtOnce)) {
      if (conversationId === callsOwner) {
        writes.push(...keysOfCall(stepId).map((key) => ({ kind: "delete", key }) as const));
        continue;
      }
      writes.push({ kind: "delete", key: keys.recordAge(stepId) });
      const key = keys.wire(conversationId, stepId);
      const found = await storage.getVersioned(key, z.unknown());
      // Prevents recreating keys of a concurrently deleted conversation.
      if (found !== undefined) {
        checks.push({ key, version: found.version });
        writes.push({ kind: "set", key, value: mark });
      }
    }
    const result = await storage.atomic(checks, writes);
    if (result.kind === "conflict") return;
  }
  await deleteSystems(storage, conversationId, { last, next });
}

/** Stores it completely. `undefined` if none remains, `null` if it is being written. */
async function writeNextWhole(
  storage: Storage,
  conversationId: string,
  last: string,
): Promise<string | undefined | null> {
  const prefix = keys.wires(conversationId);
  const range = { start: `${prefix}${last} `, end: `${prefix}~`, limit: 1, onInvalid: () => undefined };
  const [next] = await storage.list(range, anyWireSchema);
  if (next === undefined) return undefined;
  const stepId = next.key.slice(prefix.length);
  if ("deletedAt" in next.value || next.value.base === null) return stepId;
  const rest = await readText(storage, conversationId, { stepId, wire: next.value });
  if (rest === undefined) return stepId;
  const value = { ...next.value, base: null, prefixLength: 0, rest };
  const result = await storage.atomic(
    [{ key: next.key, version: next.version }],
    [{ kind: "set", key: next.key, value }, ageWrite(conversationId, stepId, rest)],
  );
  return result.kind === "conflict" ? null : stepId;
}

async function deleteSystems(
  storage: Storage,
  conversationId: string,
  { last, next }: { readonly last: string; readonly next: string | undefined },
): Promise<void> {
  const prefix = keys.recordedSystems(conversationId);
  const until = { start: prefix, end: `${prefix}${next ?? last} ` };
  const newest = { ...until, reverse: true, limit: 1, onInvalid: () => undefined };
  const kept = next === undefined ? undefined : (await storage.list(newest, recordedSystemSchema))[0]?.key;
  const end = kept ?? until.end;
  for (;;) {
    const page = await storage.list(
      { start: prefix, end, limit: deletedAtOnce, onInvalid: () => undefined },
      z.unknown(),
    );
    if (page.length === 0) return;
    await storage.atomic(
      [],
      page.map(({ key }) => ({ kind: "delete", key }) as const),
    );
  }
}
