import type { StorageWrite } from "@incipit/kernel";
import { keys } from "./keys.ts";

/** Returns the writes that mark an update as seen. The caller commits them together with the update's effect. */
export function seenWrites(channel: string, updateId: string, atMs: number): readonly StorageWrite[] {
  return [
    { kind: "set", key: keys.seen(channel, updateId), value: {} },
    { kind: "set", key: keys.seenAt(channel, updateId, atMs), value: {} },
  ];
}
