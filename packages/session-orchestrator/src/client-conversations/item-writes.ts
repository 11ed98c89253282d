import type { StorageWrite } from "@incipit/kernel";
import { lazySchema } from "@incipit/schema";
import type { StoredClientItem } from "@incipit/service-contract";
import * as z from "zod";
import { clientConversationKeys } from "./client-conversation-keys.ts";
import { noRoom } from "./conversation-refusals.ts";

/** Each request to a model contains all items. */
const maxItems = 10_000;
const maxItemsBytes = 32 * 1_048_576;

export const headSchema = lazySchema(() =>
  z.object({
    next: z.int().nonnegative(),
    count: z.int().nonnegative(),
    sizeBytes: z.int().nonnegative(),
  }),
);
export type Head = z.infer<typeof headSchema>;

export const storedItemSchema = lazySchema(() => z.object({ id: z.string(), value: z.json() }));

export const noItems: Head = { next: 0, count: 0, sizeBytes: 0 };

/** @throws {ServiceError} `INVALID_REQUEST`. */
export function assertRoom(id: string, { count, sizeBytes }: Head): void {
  if (count < maxItems && sizeBytes < maxItemsBytes) return;
  throw noRoom(id, `${count} items of ${sizeBytes} bytes, and may have ${maxItems} of ${maxItemsBytes}`);
}

export function addWrites(id: string, head: Head, items: readonly StoredClientItem[]): readonly StorageWrite[] {
  const written = items.flatMap((item, index): readonly StorageWrite[] => {
    const number = head.next + index;
    return [
      {
        kind: "set",
        key: clientConversationKeys.item(id, number),
        value: { id: item.id, value: item.value },
      },
      { kind: "set", key: clientConversationKeys.place(id, item.id), value: { number } },
    ];
  });
  const sizeBytes = items.reduce((sum, item) => sum + sizeOf(item), head.sizeBytes);
  const next = head.next + items.length;
  return [headWrite(id, { next, count: head.count + items.length, sizeBytes }), ...written];
}

export function removeWrites(
  id: string,
  { next, count, sizeBytes }: Head,
  { item, number }: { readonly item: StoredClientItem; readonly number: number },
): readonly StorageWrite[] {
  return [
    headWrite(id, { next, count: count - 1, sizeBytes: sizeBytes - sizeOf(item) }),
    { kind: "delete", key: clientConversationKeys.item(id, number) },
    { kind: "delete", key: clientConversationKeys.place(id, item.id) },
  ];
}

function headWrite(id: string, value: Head): StorageWrite {
  return { kind: "set", key: clientConversationKeys.head(id), value };
}

function sizeOf({ value }: StoredClientItem): number {
  return Buffer.byteLength(JSON.stringify(value));
}
