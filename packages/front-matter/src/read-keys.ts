import { loadYaml } from "./load-yaml.ts";
import { plainMapping } from "./plain-mapping.ts";
import { readEntries } from "./read-entries.ts";
import type { ReadKeys } from "./types.ts";

/** More is no front matter. */
const maxLength = 32_768;

/**
 * Reads the keys of front matter, with their values as plain data. What is no YAML as a whole is read key by key: a value that
 * is none is the text as it is written, as people write it who do not know YAML. Never throws.
 * @param texts The keys whose value is a text: one that YAML takes for a list, a table or a number is the text as written.
 */
export async function readKeys(source: string, texts: readonly string[]): Promise<ReadKeys> {
  if (source.length > maxLength)
    return { kind: "broken", reason: `it has more than ${maxLength} characters`, line: 1 };
  const plain = plainMapping(source);
  if (plain !== undefined) return { kind: "keys", keys: plain };
  const yaml = await loadYaml();
  const read = yaml.readYaml(source);
  if (read.kind === "broken" && read.isSyntax === true) return readEntries(source, texts, yaml);
  if (read.kind === "broken") return read;
  return yaml.keysOf(read, texts);
}
