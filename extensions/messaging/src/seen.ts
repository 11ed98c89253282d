import type { StorageWrite } from "@incipit/kernel";
import { keys } from "./keys.ts";

/**
 * Returns writes that mark an update as received, so that a redelivery is ignored. Commit them with the update's
 * effect.
 */
export function seenWrites(channel: string, updateId: string, atMs: number): readonly StorageWrite[] {
  return [
    { kind: "set", key: keys.seen(channel, updateId), value: {} },
    { kind: "set", key: keys.seenAt(channel, updateId, atMs), value: {} },
  ];
}
