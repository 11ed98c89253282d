import { readFile } from "node:fs/promises";

/** Memory of a process and of all that it started, as the system counts it (RSS): pages that two of them share count twice. */
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

/** Memory of one process. */
export interface Memory {
  /** RSS: all of its pages that are in memory, also those of files, which other processes have, too. */
  readonly residentBytes: number;
  /** PSS: of a page that others have, too, its share. */
  readonly shareBytes: number;
  /** Pages that no file has: the system cannot take them back. */
  readonly ownBytes: number;
}

/** @throws where there is no `/proc`. */
export async function memoryOf(pid: number): Promise<Memory> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
  const bytes = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(rollup)?.[1]) * 1024;
  return { residentBytes: bytes("Rss"), shareBytes: bytes("Pss"), ownBytes: bytes("Anonymous") };
}
