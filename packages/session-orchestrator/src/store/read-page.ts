import type { PageQuery } from "@incipit/schema";
import type { Page } from "@incipit/service-contract";
import { withServiceErrors } from "../failures/service-errors.ts";
import type { ValueSchema, Versioned } from "@incipit/kernel";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { keys } from "./stored.ts";
import * as z from "zod";

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

/** A damaged step or event must not block its conversation. The kernel reports each in the extension's health. */
export const skipInvalid = { onInvalid: (): void => {} } as const;

export function storedEntries<Value>(
  { storage, log }: Pick<OrchestratorContext, "storage" | "log">,
  prefix: string,
  schema: ValueSchema<Value>,
): AsyncGenerator<Versioned<Value>, void> {
  return storage.entries(prefix, schema, {
    onInvalid: (key, error) => log.error("Skipped a damaged record", { key, error: error.message }),
  });
}

export async function childIds(
  { storage }: Pick<OrchestratorContext, "storage">,
  parentId: string,
  { before = "~", limit }: { readonly before?: string; readonly limit: number },
): Promise<readonly string[]> {
  const prefix = keys.tasks(parentId);
  const range = { start: prefix, end: `${prefix}${before}`, reverse: true, limit };
  const rows = await withServiceErrors(() => storage.list(range, z.unknown()));
  return rows.map(({ key }) => key.slice(prefix.length));
}
