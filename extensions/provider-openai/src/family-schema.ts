import { isJsonList, isJsonObject, type JsonValue } from "@incipit/provider-kit";
import type { JsonObject } from "@incipit/schema";

export type SchemaReader = "grammar" | "moonshot";

/**
 * Relaxed where necessary; arguments are still validated against the original schema.
 *
 * - `grammar`: llama.cpp converts it to a grammar, which has no lookarounds and no classes such as `\d`: "Pattern
 * must start with '^' and end with '$'", "failed to parse grammar".
 * - `moonshot`: "when using anyOf, type should be defined in anyOf items instead of the parent schema"; `items` is an
 * object.
 */
export function familySchema(reader: SchemaReader, schema: JsonObject): JsonObject {
  const change = reader === "grammar" ? withoutPattern : withTypedChoices;
  return inSchema(schema, change);
}

function inSchema(schema: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  const own = change(schema);
  const changed = Object.entries(own).flatMap(([key, value]): [string, JsonValue][] => {
    const to =
      key === "properties" || key === "$defs" || key === "definitions"
        ? inNamed(value, change)
        : inValue(value, change);
    return data.has(key) || to === value ? [] : [[key, to]];
  });
  return changed.length === 0 ? own : { ...own, ...Object.fromEntries(changed) };
}

const data = new Set(["const", "default", "enum", "examples"]);

function inNamed(value: JsonValue, change: (schema: JsonObject) => JsonObject): JsonValue {
  if (!isJsonObject(value)) return value;
  const next = Object.entries(value).map(([name, inner]) => [name, inValue(inner, change)] as const);
  return next.every(([name, inner]) => inner === value[name]) ? value : Object.fromEntries(next);
}

function inValue(value: JsonValue, change: (schema: JsonObject) => JsonObject): JsonValue {
  if (isJsonObject(value)) return inSchema(value, change);
  if (!isJsonList(value)) return value;
  const next = value.map((each) => inValue(each, change));
  return next.every((each, index) => each === value[index]) ? value : next;
}

function withoutPattern(schema: JsonObject): JsonObject {
  const { pattern, ...rest } = schema;
  if (typeof pattern !== "string") return schema;
  return /^\^.*\$$/s.test(pattern) && !/\(\?|\\[a-zA-Z]/.test(pattern) ? schema : rest;
}

function withTypedChoices(schema: JsonObject): JsonObject {
  const { type, anyOf, items, ...rest } = schema;
  const isPlainList = items === undefined || isJsonObject(items);
  const list = isPlainList ? (items === undefined ? {} : { items }) : {};
  if (type === undefined || !isJsonList(anyOf))
    return isPlainList
      ? schema
      : { ...rest, ...(type === undefined ? {} : { type }), ...(anyOf === undefined ? {} : { anyOf }) };
  const typed = anyOf.map((each) => (isJsonObject(each) && each["type"] === undefined ? { ...each, type } : each));
  return { ...rest, ...list, anyOf: typed };
}
