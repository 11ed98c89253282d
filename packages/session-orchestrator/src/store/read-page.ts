import type { PageQuery } from "@incipit/schema";
import type { Page } from "@incipit/service-contract";
import { inServiceWords } from "../failures/storage-failure.ts";

interface Range {
  readonly start: string;
  readonly end: string;
  readonly limit: number;
  readonly reverse?: boolean;
}

/**
 * One page of what is stored below a prefix, in the order of its keys, or backwards; a cursor is the end of the last key. A
 * value that is `undefined` is left out.
 */
export async function readPage<Item>(
  prefix: string,
  { cursor, limit, isReverse = false }: PageQuery & { readonly isReverse?: boolean },
  list: (range: Range) => Promise<readonly { readonly key: string; readonly value: Item | undefined }[]>,
): Promise<Page<Item>> {
  // A NUL cannot stand in a key, a space sorts before all that can follow.
  const start = cursor === undefined || isReverse ? prefix : `${prefix}${cursor} `;
  const end = cursor === undefined || !isReverse ? `${prefix}~` : `${prefix}${cursor}`;
  const order = isReverse ? { reverse: true } : {};
  const entries = await inServiceWords(() => list({ start, end, limit, ...order }));
  const items = entries.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const last = entries.at(-1);
  return last === undefined || entries.length < limit
    ? { items }
    : { items, nextCursor: last.key.slice(prefix.length) };
}
