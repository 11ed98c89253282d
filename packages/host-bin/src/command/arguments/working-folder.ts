import { statSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "../registry/usage-error.ts";

export function workingFolder({ cwd }: { readonly cwd: string | undefined }): string {
  if (cwd === undefined) return process.cwd();
  const folder = resolve(cwd);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`--cwd: there is no folder "${folder}"; create it first (mkdir -p)`);
  return folder;
}
