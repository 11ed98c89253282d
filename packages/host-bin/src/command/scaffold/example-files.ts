/** Runs only as a macro: the built file has no examples that `extensions new` could copy. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const examples = join(import.meta.dir, "../../../../../examples");

/** Returns the text of each file of an example, by path. */
export function exampleFiles(example: string, ...paths: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(examples, example, path), "utf8")]));
}
