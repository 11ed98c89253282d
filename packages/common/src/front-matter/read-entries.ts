import type * as YamlReader from "./read-yaml.ts";
import type { BrokenKeys, ReadKeys } from "./types.ts";

/** A key without indent; a colon followed by `//` belongs to a URL. */
const keyLine = /^(["']?)([A-Za-z_][\w.-]{0,99})\1[ \t]*:(?:[ \t]+|$|(?!\/\/))(.*)$/;
/** They start an entry even after lines of prose, which may contain colons. */
const commonKeys: ReadonlySet<string> = new Set([
  "agent",
  "allowed-tools",
  "append",
  "argument-hint",
  "budget",
  "color",
  "compatibility",
  "context",
  "description",
  "disable-model-invocation",
  "disallowedTools",
  "effort",
  "hooks",
  "license",
  "maxTurns",
  "mcpServers",
  "mcp_servers",
  "memory",
  "metadata",
  "mode",
  "model",
  "name",
  "permissionMode",
  "prompt",
  "settings",
  "skills",
  "temperature",
  "tools",
  "user-invocable",
  "version",
]);

interface Entry {
  readonly key: string;
  readonly first: string;
  readonly rest: string[];
  readonly line: number;
  /** Has an unindented line other than a list item. */
  isLoose: boolean;
}

export function readEntries(
  source: string,
  texts: readonly string[],
  { keysOf, readYaml }: typeof YamlReader,
): ReadKeys {
  const entries = entriesOf(source);
  if ("kind" in entries) return entries;
  const keys = new Map<string, unknown>();
  for (const { key, first, rest, line } of entries) {
    if (keys.has(key)) {
      if (commonKeys.has(key) || texts.includes(key))
        return broken(`it has the key ${JSON.stringify(key)} twice`, line);
      continue; // Text of a dialogue, such as `user: …`.
    }
    const value = first === "" ? "" : ` ${first}`;
    const read = readYaml(`${key}:${[value, ...rest.map(withoutTabs)].join("\n")}\n`);
    const own = read.kind === "broken" ? read : keysOf(read, texts);
    if (own.kind === "keys" && own.keys.size <= 1) {
      keys.set(key, own.keys.get(key) ?? null);
      continue;
    }
    const text = proseOf(first, rest);
    if (text === undefined) {
      const why = own.kind === "broken" ? own.reason : "it has lines of other keys";
      return broken(`the value of its key ${JSON.stringify(key)} is no YAML: ${why}`, line);
    }
    keys.set(key, text);
  }
  return { kind: "keys", keys };
}

function entriesOf(source: string): readonly Entry[] | BrokenKeys {
  const entries: Entry[] = [];
  const lines = source.split(/\r?\n/);
  const edge = edgeOf(lines.find((line) => line.trim() !== "") ?? "");
  for (const [index, written] of lines.entries()) {
    const open = entries.at(-1);
    // Keys that are all indented are often not indented alike.
    const line = edge === 0 ? written : written.replace(/^[ \t]{1,3}/, "");
    const [, , key, first = ""] = keyLine.exec(line) ?? [];
    const isCommon = key !== undefined && commonKeys.has(key);
    const isAtEdge = open?.isLoose !== true && edgeOf(written) === edge;
    if (key !== undefined && (isAtEdge || isCommon)) {
      entries.push({ key, first: first.trim(), rest: [], line: index + 1, isLoose: false });
      continue;
    }
    if (open !== undefined) {
      open.rest.push(line);
      open.isLoose ||= /^[^\s#\-\]}]/.test(line);
    } else if (!/^\s*(?:#.*)?$/.test(line)) return broken("it is not a list of keys and values", index + 1);
  }
  return entries;
}

function edgeOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** `undefined` for a list, a mapping, a block or an unclosed quoted string. */
function proseOf(first: string, rest: readonly string[]): string | undefined {
  const [begin = ""] = first;
  if (begin === "|" || begin === ">") return undefined;
  if ((begin === '"' || begin === "'") && first.indexOf(begin, 1) === -1) return undefined;
  if (begin === "[" && !first.includes("]")) return undefined;
  if (begin === "{" && !first.includes("}")) return undefined;
  if (first === "" && /^(?:\s+\S|-)/.test(rest.find((line) => line.trim() !== "") ?? "")) return undefined;
  return [first, ...rest.map((line) => line.trim())].join("\n").trim();
}

/** YAML forbids tabs in indentation. */
function withoutTabs(line: string): string {
  return line.replace(/^[ \t]+/, (space) => space.replaceAll("\t", "  "));
}

function broken(reason: string, line: number): BrokenKeys {
  return { kind: "broken", reason, line };
}
