import type { PageQuery } from "@incipit/schema";
import type { Page } from "@incipit/service-contract";
import { withServiceErrors } from "../failures/storage-failure.ts";

interface Range {
  readonly start: string;
  readonly end: string;
  readonly limit: number;
  readonly reverse?: boolean;
}

/** The cursor is the suffix of the last key. Skips `undefined` values. */
export async function readPage<Item>(
  prefix: string,
  { cursor, limit, isReverse = false }: PageQuery & { readonly isReverse?: boolean },
  list: (range: Range) => Promise<readonly { readonly key: string; readonly value: Item | undefined }[]>,
): Promise<Page<Item>> {
  // Keys contain no NUL; a space sorts before all following characters.
  const start = cursor === undefined || isReverse ? prefix : `${prefix}${cursor} `;
  const end = cursor === undefined || !isReverse ? `${prefix}~` : `${prefix}${cursor}`;
  const order = isReverse ? { reverse: true } : {};
  const entries = await withServiceErrors(() => list({ start, end, limit, ...order }));
  const items = entries.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const last = entries.at(-1);
  return last === undefined || entries.length < limit
    ? { items }
    : { items, nextCursor: last.key.slice(prefix.length) };
}
