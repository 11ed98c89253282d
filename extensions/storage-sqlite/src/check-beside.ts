import type { Clock } from "@incipit/kernel";
import type { Database } from "bun:sqlite";
import type { CheckProgress, RowPosition } from "./check-progress.ts";

/** What is read at once: less than a millisecond of it. */
const rowsBehind = `SELECT namespace, key, json_valid(value) FROM entries
  WHERE (namespace, key) > (?, ?) ORDER BY namespace, key LIMIT 64`;
/** Between two reads, so that whoever is served meanwhile does not wait. */
const pauseMs = 1;
/** So many reads are lost when the host is killed. */
const readsBetweenNotes = 100;

/**
 * Reads every row of the file that was not read since the machine started, and looks whether it is JSON, a few at a time beside
 * what else happens.
 * @throws what SQLite throws for a page that it cannot read, a `TypeError` for a row that is no JSON; the signal's reason.
 */
export async function checkBeside(
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
