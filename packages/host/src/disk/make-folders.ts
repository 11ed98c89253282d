import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { syncFolder } from "./sync-folder.ts";

/** Survive a power loss once this returns. */
export function makeFolders(path: string, { mode = 0o777 }: { readonly mode?: number } = {}): void {
  const last = resolve(path);
  const first = mkdirSync(last, { recursive: true, mode });
  if (first === undefined) return;
  for (let made = last; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
}
