import type { JsonValue } from "./json.ts";

const references = ["$ref", "$dynamicRef", "$recursiveRef"] as const;

/**
 * Counts the parts that one validation may visit, with references expanded, up to `max + 1`; `"recursive"` if the
 * schema contains itself.
 */
export function schemaSize(schema: JsonValue, max: number): number | "recursive" {
  const counter = { left: max + 1 };
  return visit(schema, { root: schema, inside: new Set(), counter }) ? max + 1 - counter.left : "recursive";
}

interface Visit {
  readonly root: JsonValue;
  readonly inside: ReadonlySet<JsonValue>;
  readonly counter: { left: number };
}

function visit(value: JsonValue, at: Visit): boolean {
  if (typeof value !== "object" || value === null || at.counter.left <= 0) return true;
  at.counter.left -= 1;
  const held = Array.isArray(value) ? value : Object.values(value);
  if (!held.every((part) => visit(part ?? null, at))) return false;
  return references.every((name) => {
    const reference = Array.isArray(value) ? undefined : Reflect.get(value, name);
    if (typeof reference !== "string") return true;
    const target = referredTo(reference, at.root);
    if (target === undefined) return true; // The schema compiler reports the unknown reference.
    if (at.inside.has(target) || holds(target, value)) return false;
    return visit(target, { ...at, inside: new Set([...at.inside, target]) });
  });
}

/** Returns whether `outer` contains the object `inner` itself: a reference to an ancestor is recursive. */
function holds(outer: JsonValue, inner: JsonValue): boolean {
  if (outer === inner) return true;
  if (typeof outer !== "object" || outer === null) return false;
  return Object.values(outer).some((part) => holds(part ?? null, inner));
}

/** Resolves a reference, which is a JSON Pointer (RFC 6901) after `#`. */
function referredTo(reference: string, root: JsonValue): JsonValue | undefined {
  if (!reference.startsWith("#")) return undefined;
  let at: JsonValue | undefined = root;
  for (const name of reference.slice(1).split("/").slice(1)) {
    if (typeof at !== "object" || at === null) return undefined;
    const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
    at = Object.entries(at).find(([known]) => known === key)?.[1];
  }
  return at;
}
