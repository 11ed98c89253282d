import type { StorageWrite } from "@incipit/kernel";
import { keys } from "./keys.ts";

/** Marks an update as taken: given again, it is nothing. To be committed with what becomes of it. */
export function seenWrites(channel: string, updateId: string, atMs: number): readonly StorageWrite[] {
  return [
    { kind: "set", key: keys.seen(channel, updateId), value: {} },
    { kind: "set", key: keys.seenAt(channel, updateId, atMs), value: {} },
  ];
}
