import { PrefixScanner } from "./prefixes.ts";
import { knownShapes } from "./known-shapes.ts";
import { privateKeyRule } from "./private-key-rule.ts";
import type { Span } from "./rule.ts";
import { shapeRule } from "./shape-rule.ts";

export interface KnownSecret extends Span {
  readonly kind: string;
}

/** Finds secrets of well-known formats, in text order. Linear time. */
export function findKnownSecrets(text: string): readonly KnownSecret[] {
  const rules = [privateKeyRule, ...knownShapes.map(shapeRule)];
  const places = new PrefixScanner(knownShapes.flatMap((shape) => shape.beginnings)).in(text, 0);
  const found = rules.flatMap(({ kind, find }) =>
    find(text, 0, places).map(({ start, end }) => ({ kind, start, end })),
  );
  return found.toSorted((a, b) => a.start - b.start || b.end - a.end);
}
