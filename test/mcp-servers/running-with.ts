import { readdir } from "node:fs/promises";

/** Numbers of the processes whose command line has the text. */
export async function runningWith(text: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const line = await Bun.file(`/proc/${pid}/cmdline`)
      .text()
      .catch(() => ""); // It has ended meanwhile.
    if (line.includes(text)) found.push(Number(pid));
  }
  return found;
}
