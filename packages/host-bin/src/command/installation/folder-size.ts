import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Follows no links. Unreadable files count as 0. */
export async function sizeOf(path: string): Promise<number | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found === undefined ? undefined : await sizeBelow(path, found);
}

async function sizeBelow(path: string, found: Stats): Promise<number> {
  if (!found.isDirectory()) return found.size;
  const names = await readdir(path).catch(() => []);
  const sizes = names.map(async (name) => await sizeOf(join(path, name)));
  return (await Promise.all(sizes)).reduce<number>((sum, size = 0) => sum + size, 0);
}

const units = ["bytes", "KB", "MB", "GB"] as const;

export function sizeText(sizeBytes: number): string {
  let rest = sizeBytes;
  let unit: (typeof units)[number] = "bytes";
  for (const next of units.slice(1)) {
    if (rest < 1_000) break;
    rest /= 1_000;
    unit = next;
  }
  return `${unit === "bytes" || rest >= 10 ? Math.round(rest) : rest.toFixed(1)} ${unit}`;
}
