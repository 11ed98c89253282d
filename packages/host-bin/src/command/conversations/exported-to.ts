import { stat } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../registry/usage-error.ts";

interface Exported {
  readonly ids: readonly string[];
  /** `ID` is replaced with each conversation's id. */
  readonly path: string;
}

export async function exportedTo(names: readonly string[]): Promise<Exported> {
  const [first = "", ...others] = names;
  const last = others.at(-1);
  if (last === undefined) return { ids: [first], path: "-" };
  const isFolder = (await stat(last).catch(() => undefined))?.isDirectory() === true;
  if (isFolder) return { ids: names.slice(0, -1), path: join(last, "ID.jsonl") };
  if (names.length === 2) return { ids: [first], path: last };
  throw new UsageError(
    `Several conversations are written to a folder, one file each, and "${last}" is none; write: incipit conversations export ID ID … FOLDER`,
  );
}
