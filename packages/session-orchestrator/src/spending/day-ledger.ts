import type { Storage, StorageWrite } from "@incipit/kernel";
import { addSpent, nothingSpent, spentOfCall, spentSchema, type Spent, type Step } from "@incipit/schema";
import { skipInvalid } from "../store/skip-invalid.ts";

/** One entry per finished model call: no two calls write the same key, and a repeated write changes nothing. */
const prefix = "spent-on:";

/** Formats as ISO 8601 dates, which sort as strings, in the time zone of the machine. */
const days = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short" });

/** Returns the local day of the host, `YYYY-MM-DD`. */
export function dayOf(atMs: number): string {
  return days.format(atMs);
}

/** Returns the write that counts a finished call for the day on which it began; it belongs in the commit of the call's end. */
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

/** Adds up a day. Deleting a conversation does not change the sum. */
export async function spentOnDay(storage: Storage, day: string): Promise<Spent> {
  let spent = nothingSpent;
  for await (const { value } of storage.entries(`${prefix}${day}:`, spentSchema, skipInvalid))
    spent = addSpent(spent, value);
  return spent;
}

/** Deletes the entries of days before `day`. */
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
