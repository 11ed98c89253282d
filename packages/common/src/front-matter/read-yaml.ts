import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { BrokenKeys, ReadKeys } from "./types.ts";

export interface BrokenYaml extends BrokenKeys {
  /** In contrast to valid YAML over a limit. */
  readonly isSyntax?: true;
}

export interface YamlMapping {
  readonly kind: "mapping";
  readonly source: string;
  readonly document: Document;
  /** `undefined` if empty. */
  readonly map: YAMLMap | undefined;
}

/** Limits the recursion of the parser. */
const maxDepth = 100;
/** The parser takes cubic time for nested keys of the form `? KEY`. */
const maxExplicitKeys = 20;

/** Never throws. */
export function readYaml(source: string): YamlMapping | BrokenYaml {
  const refused = tooMuch(source);
  if (refused !== undefined) return { kind: "broken", reason: refused, line: 1 };
  const lines = new LineCounter();
  try {
    // The parser compares each key with each; duplicates are checked below.
    const document = parseDocument(source, {
      prettyErrors: false,
      uniqueKeys: false,
      logLevel: "silent",
      lineCounter: lines,
    });
    const [error] = document.errors;
    if (error !== undefined) return { ...broken(error.message, lines.linePos(error.pos[0]).line), isSyntax: true };
    if (source.includes("*") && hasUnknownAlias(document))
      return { ...broken("it names an anchor that is not there", 1), isSyntax: true };
    const { contents } = document;
    if (contents === null || (isScalar(contents) && contents.value === null))
      return { kind: "mapping", source, document, map: undefined };
    if (!isMap(contents)) return broken("it is not a list of keys and values", 1);
    const twice = repeatedKey(contents);
    if (twice !== undefined)
      return broken(`it has the key ${JSON.stringify(twice.key)} twice`, lines.linePos(twice.at).line);
    return { kind: "mapping", source, document, map: contents };
  } catch (error) {
    const reason = error instanceof RangeError ? "it is nested too deeply" : "it cannot be read";
    return broken(reason, 1);
  }
}

/** `texts` as in `readKeys`. */
export function keysOf({ document, map, source }: YamlMapping, texts: readonly string[]): ReadKeys {
  try {
    const keys = new Map(textKeys(document.toJS({ mapAsMap: true })));
    for (const pair of map?.items ?? []) {
      const [key, written] = writtenText(pair, source);
      if (key !== undefined && written !== undefined && texts.includes(key)) keys.set(key, written);
    }
    return { kind: "keys", keys };
  } catch {
    return broken("its aliases come to too much", 1);
  }
}

/** For a one-line value that YAML parses as something other than a string. */
function writtenText({ key, value }: Pair, source: string): readonly [key?: string, text?: string] {
  if (!isScalar(key) || typeof key.value !== "string") return [];
  if (isScalar(value) && (typeof value.value === "string" || value.value === null)) return [];
  if (!isScalar(value) && !isMap(value) && !isSeq(value)) return [];
  const [start = 0, end = 0] = value.range ?? [];
  const text = source.slice(start, end);
  return text === "" || text.includes("\n") ? [] : [key.value, text];
}

/** @throws {Error} if aliases expand too much. */
export function entriesIn(map: YAMLMap, { document }: YamlMapping): ReadonlyMap<string, unknown> {
  return textKeys(map.toJS(document, { mapAsMap: true }));
}

function textKeys(value: unknown): ReadonlyMap<string, unknown> {
  if (!(value instanceof Map)) return new Map();
  return new Map([...value].flatMap(([key, inner]) => (typeof key === "string" ? [[key, plain(inner)]] : [])));
}

/** Converts a value so that every key is an own property, also one such as `__proto__`. */
function plain(value: unknown): unknown {
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, inner]) => [String(key), plain(inner)] as const));
  return Array.isArray(value) ? value.map(plain) : value;
}

function broken(reason: string, line: number): BrokenYaml {
  return { kind: "broken", reason, line };
}

/** `*word*` at the start of a value is meant as Markdown. */
function hasUnknownAlias(document: Document): boolean {
  const anchors = new Set<string>();
  let isFound = false;
  visit(document, {
    Alias: (_, { source }) => {
      isFound = !anchors.has(source);
      return isFound ? visit.BREAK : undefined;
    },
    Value: (_, { anchor }) => {
      if (anchor !== undefined) anchors.add(anchor);
    },
  });
  return isFound;
}

function tooMuch(source: string): string | undefined {
  let depth = 0;
  for (const character of source) {
    if (character === "[" || character === "{") depth += 1;
    if (character === "]" || character === "}") depth = Math.max(0, depth - 1);
    if (depth > maxDepth) return "it is nested too deeply";
  }
  const explicit = source.match(/(?:^|\s)\?(?=\s|$)/g)?.length ?? 0;
  if (explicit > maxExplicitKeys) return `it has more than ${maxExplicitKeys} keys of the form "? KEY"`;
  return undefined;
}

function repeatedKey(root: YAMLMap): { readonly key: string; readonly at: number } | undefined {
  const open: (YAMLMap | YAMLSeq)[] = [root];
  const enter = (node: unknown): void => {
    if (isMap(node) || isSeq(node)) open.push(node);
  };
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isSeq(node)) {
      for (const item of node.items) enter(item);
      continue;
    }
    const seen = new Set<unknown>();
    for (const { key, value } of node.items) {
      if (isScalar(key)) {
        if (seen.has(key.value)) return { key: String(key.value), at: key.range?.[0] ?? 0 };
        seen.add(key.value);
      }
      enter(value);
    }
  }
  return undefined;
}

export { isMap, isSeq } from "yaml";
