import { restoredLines } from "@incipit/cli-text";
import type { RestoredFiles } from "@incipit/schema";
import { restoreFiles, type Client } from "@incipit/transport-contract";
import type { Output } from "../output/output.ts";
import type { UndoPlan } from "./undo-plan.ts";

/** Prints the result of each batch before the next, which may fail. */
export async function putBack(
  client: Client,
  { id, range, words }: Pick<UndoPlan, "id" | "range" | "words">,
  { paths, cwd, output }: { readonly paths: readonly string[]; readonly cwd: string; readonly output: Output },
): Promise<RestoredFiles["files"]> {
  const all: RestoredFiles["files"] = [];
  for await (const files of restoreFiles(client, id, { range, paths })) {
    for (const { text } of restoredLines(files, { words, cwd })) output.errLine(text);
    all.push(...files);
  }
  return all;
}
