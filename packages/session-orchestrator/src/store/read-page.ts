import type { PageQuery } from "@incipit/schema";
import type { Page } from "@incipit/service-contract";
import { inServiceWords } from "../failures/storage-failure.ts";

interface Range {
  readonly start: string;
  readonly end: string;
  readonly limit: number;
}

/**
 * One page of what is stored below a prefix, in the order of its keys; a cursor is the end of the last key. A value that is
 * `undefined` is left out.
 */
export async function readPage<Item>(
  prefix: string,
  { cursor, limit }: PageQuery,
  list: (range: Range) => Promise<readonly { readonly key: string; readonly value: Item | undefined }[]>,
): Promise<Page<Item>> {
  // A NUL cannot stand in a key, a space sorts before all that can follow.
  const start = cursor === undefined ? prefix : `${prefix}${cursor} `;
  const entries = await inServiceWords(() => list({ start, end: `${prefix}~`, limit }));
  const items = entries.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const last = entries.at(-1);
  return last === undefined || entries.length < limit
    ? { items }
    : { items, nextCursor: last.key.slice(prefix.length) };
}
