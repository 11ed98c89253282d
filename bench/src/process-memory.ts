import { readFile } from "node:fs/promises";

/** RSS with descendants; shared pages count repeatedly. */
export async function residentBytes(pid: number): Promise<number> {
  const listed = await Bun.$`ps -A -o pid=,ppid=,rss=`.text();
  const rows = listed
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  let sizeBytes = 0;
  let family = [pid];
  while (family.length > 0) {
    for (const [id = 0, , kibibytes = 0] of rows) if (family.includes(id)) sizeBytes += kibibytes * 1024;
    family = rows.filter(([, parent = 0]) => family.includes(parent)).map(([id = 0]) => id);
  }
  if (sizeBytes === 0) throw new Error(`Process ${pid} is not there any more`);
  return sizeBytes;
}

export interface Memory {
  /** RSS, including shared file pages. */
  readonly residentBytes: number;
  /** PSS: shared pages count proportionally. */
  readonly shareBytes: number;
  /** Pages without a backing file, which the system cannot reclaim. */
  readonly ownBytes: number;
}

/** @throws without `/proc`. */
export async function memoryOf(pid: number): Promise<Memory> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
  const bytes = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(rollup)?.[1]) * 1024;
  return { residentBytes: bytes("Rss"), shareBytes: bytes("Pss"), ownBytes: bytes("Anonymous") };
}
