import { loadYaml } from "./load-yaml.ts";
import { plainMapping } from "./plain-mapping.ts";
import { readEntries } from "./read-entries.ts";
import type { ReadKeys } from "./types.ts";

/** Longer source is not front matter. */
const maxLength = 32_768;

/**
 * Reads the keys of front matter as plain data. Invalid YAML is read key by key: an invalid value
 * is its raw text, since many authors do not know YAML. Never throws.
 * @param texts Keys with text values: if YAML parses a list, a mapping or a number, the raw text is used.
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
