import type { HeartContext } from "./heart-context.ts";
import { readTaskFile, type TaskFile } from "./task-file.ts";

export async function wakeText({ fs, file, cwd, signal, clock, times }: HeartContext): Promise<TaskFile> {
  const read = await readTaskFile(fs, { file, cwd, signal });
  if (read.kind !== "tasks") return read;
  const { timeZone } = times;
  const at = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  return {
    kind: "tasks",
    text: `[HEARTBEAT] ${at.format(clock.now())} (${timeZone})\n\n${file}:\n\n${read.text}`,
  };
}
