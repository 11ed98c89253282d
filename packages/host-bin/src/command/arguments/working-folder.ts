import { statSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError, type Arguments } from "./arguments.ts";

export function workingFolder({ cwd }: Arguments): string {
  if (cwd === undefined) return process.cwd();
  const folder = resolve(cwd);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`--cwd: there is no folder "${folder}"; make it first (mkdir -p)`);
  return folder;
}
