import type { Storage, StorageWrite } from "@incipit/kernel";
import { addSpent, nothingSpent, spentOfCall, spentSchema, type Spent, type Step } from "@incipit/schema";
import { skipInvalid } from "../store/skip-invalid.ts";

/** One entry per finished call: keys are unique, and repeated writes are idempotent. */
const prefix = "spent-on:";

/** ISO 8601 dates, which sort as strings, in the machine's time zone. */
const days = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short" });

export function dayOf(atMs: number): string {
  return days.format(atMs);
}

/** Counts the call on the day it started; commit with the call's end. */
export function dayLedgerWrites({
  id,
  startedAt,
  ...call
}: Pick<Step, "startedAt" | "prices" | "usage" | "estimatedUsage"> & {
  readonly id: string;
}): readonly StorageWrite[] {
  const spent = spentOfCall(call);
  if (spent.usd === 0 && spent.unpriced === 0) return [];
  return [{ kind: "set", key: `${prefix}${dayOf(Date.parse(startedAt))}:${id}`, value: spent }];
}

/** Includes deleted conversations. */
export async function spentOnDay(storage: Storage, day: string): Promise<Spent> {
  let spent = nothingSpent;
  for await (const { value } of storage.entries(`${prefix}${day}:`, spentSchema, skipInvalid))
    spent = addSpent(spent, value);
  return spent;
}

export async function forgetDaysBefore(storage: Storage, day: string): Promise<void> {
  for (;;) {
    const page = await storage.list(
      { start: prefix, end: `${prefix}${day}`, limit: 500, ...skipInvalid },
      spentSchema,
    );
    if (page.length === 0) return;
    await storage.atomic(
      [],
      page.map(({ key }) => ({ kind: "delete", key }) as const),
    );
  }
}
