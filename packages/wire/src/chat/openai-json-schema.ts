import { isObject } from "@incipit/schema";
type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Removes `propertyNames` and lookaround patterns, which OpenAI rejects, and replaces an `allOf` with a single
 * reference by that reference.
 *
 * @throws {TypeError} for `propertyNames` with more than a string type.
 */
export function openaiJsonSchema(schema: JsonObject): JsonObject {
  return normalized(schema, true);
}

const records = ["properties", "patternProperties"] as const;
const single = ["additionalProperties", "additionalItems", "items", "contains", "not"] as const;
const lists = ["allOf", "anyOf", "oneOf"] as const;
const definitions = ["definitions", "$defs"] as const;
const conditions = ["if", "then", "else"] as const;

function normalized(schema: JsonObject, isRoot: boolean): JsonObject {
  const { propertyNames: names, ...kept }: Record<string, unknown> = schema;
  if (typeof names === "boolean" || (isObject(names) && (names["type"] ?? "string") !== "string"))
    throw new TypeError('JSON Schema "propertyNames" has to be a schema of strings for OpenAI');
  if (typeof kept["pattern"] === "string" && looksAround(kept["pattern"])) delete kept["pattern"];
  const each = (keys: readonly string[], change: (value: unknown) => unknown): void => {
    for (const key of keys) if (kept[key] !== undefined && kept[key] !== null) kept[key] = change(kept[key]);
  };
  const list = (value: unknown): unknown => (Array.isArray(value) ? value.map(nested) : value);
  each(records, recordOf);
  each(single, (value) => (Array.isArray(value) ? list(value) : nested(value)));
  each(lists, list);
  each(definitions, recordOf);
  each(["dependencies"], recordOf);
  each(conditions, nested);
  const reference = soleReference(kept["allOf"]);
  if (reference === undefined) return kept;
  const { allOf: _, ...others } = kept;
  if (!isRoot) return { ...others, $ref: reference };
  // The root must be an object: inlines a reference to its own definition.
  const referenced = definitionOf(reference, kept);
  return referenced === undefined ? kept : { ...referenced, ...others };
}

function nested(value: unknown): unknown {
  return isObject(value) ? normalized(value, false) : value;
}

/** Keeps lists, such as those of `dependencies`. */
function recordOf(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, schema]) => [key, nested(schema)]));
}

function soleReference(allOf: unknown): string | undefined {
  if (!Array.isArray(allOf) || allOf.length !== 1) return undefined;
  const [only]: readonly unknown[] = allOf;
  if (!isObject(only) || Object.keys(only).length !== 1) return undefined;
  return typeof only["$ref"] === "string" ? only["$ref"] : undefined;
}

function definitionOf(reference: string, schema: JsonObject): JsonObject | undefined {
  const [, place = "", encoded = ""] = /^#\/(definitions|\$defs)\/(.+)$/.exec(reference) ?? [];
  const among = schema[place];
  const name = encoded.replaceAll("~1", "/").replaceAll("~0", "~");
  const definition = isObject(among) && Object.hasOwn(among, name) ? among[name] : undefined;
  return isObject(definition) ? definition : undefined;
}

/** Returns whether a pattern has a lookaround that is not escaped or in a character class. */
function looksAround(pattern: string): boolean {
  let isInClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === "\\") at += 1;
    else if (character === "[") isInClass = true;
    else if (character === "]") isInClass = false;
    else if (!isInClass && /^\(\?<?[=!]/.test(pattern.slice(at, at + 4))) return true;
  }
  return false;
}
