import { readdir } from "node:fs/promises";

/** Filters by `HOME`, since other tests run the same programs in parallel. */
export async function runningWith(text: string, home: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const [line, variables] = await Promise.all([read(`/proc/${pid}/cmdline`), read(`/proc/${pid}/environ`)]);
    if (line.includes(text) && variables.split("\0").includes(`HOME=${home}`)) found.push(Number(pid));
  }
  return found;
}

async function read(file: string): Promise<string> {
  try {
    return await Bun.file(file).text();
  } catch {
    return "";
  }
}
