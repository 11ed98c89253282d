import { join } from "node:path";
import * as z from "zod";

const timesSchema = z.record(z.string(), z.number().nonnegative());

export async function readTimes(folder: string): Promise<ReadonlyMap<string, number>> {
  const file = Bun.file(join(folder, "check-times.json"));
  const read: unknown = await file.json().catch(() => undefined);
  return new Map(Object.entries(timesSchema.safeParse(read).data ?? {}));
}

export async function writeTimes(folder: string, times: ReadonlyMap<string, number>): Promise<void> {
  await Bun.write(join(folder, "check-times.json"), JSON.stringify(Object.fromEntries(times)));
}

export function shownTime(ms: number): string {
  const seconds = ms / 1_000;
  return seconds < 100
    ? `${seconds.toFixed(1)} s`
    : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
