import type { Clock } from "@incipit/kernel";
import type { Database } from "bun:sqlite";
import type { CheckProgress, RowPosition } from "./check-progress.ts";

/** One read takes less than a millisecond. */
const rowsBehind = `SELECT namespace, key, json_valid(value) FROM entries
  WHERE (namespace, key) > (?, ?) ORDER BY namespace, key LIMIT 64`;
const pauseMs = 1;
/** At most this many reads are repeated after a kill. */
const readsBetweenNotes = 100;

/**
 * A few rows at a time.
 * @throws what SQLite throws for an unreadable page, a `TypeError` for invalid JSON, or the signal's reason.
 */
export async function checkInBackground(
  database: () => Database,
  {
    clock,
    signal,
    progress,
  }: { readonly clock: Clock; readonly signal: AbortSignal; readonly progress: CheckProgress },
): Promise<void> {
  let last: RowPosition = progress.position ?? ["", ""];
  for (let reads = 1; ; reads += 1) {
    signal.throwIfAborted();
    const rows = database()
      .query(rowsBehind)
      .values(...last);
    const damaged = rows.find(([, , isJson]) => isJson !== 1);
    if (damaged !== undefined) throw new TypeError(`what is stored as "${String(damaged[1])}" is not JSON`);
    const end = rows.at(-1);
    if (end === undefined) {
      progress.note("end");
      return;
    }
    last = [String(end[0]), String(end[1])];
    if (reads % readsBetweenNotes === 0) progress.note(last);
    await new Promise<void>((resolve) => clock.setTimer(resolve, pauseMs));
  }
}
