import { isObject, type JsonObject } from "./json-object.ts";

/**
 * Merges fields into an object: nested objects are merged, other values replaced. Does not mutate its arguments;
 * existing keys keep their position.
 */
export function withFields(under: JsonObject, fields: JsonObject): JsonObject;
export function withFields(
  under: Readonly<Record<string, unknown>>,
  fields: JsonObject,
): Readonly<Record<string, unknown>>;
export function withFields(
  under: Readonly<Record<string, unknown>>,
  fields: JsonObject,
): Readonly<Record<string, unknown>> {
  const merged = new Map<string, unknown>(Object.entries(under));
  for (const [name, value] of Object.entries(fields)) {
    const before = merged.get(name);
    merged.set(name, isObject(before) && isJsonObject(value) ? withFields(before, value) : value);
  }
  return Object.fromEntries(merged);
}

function isJsonObject(value: JsonObject[string]): value is JsonObject {
  return isObject(value);
}
