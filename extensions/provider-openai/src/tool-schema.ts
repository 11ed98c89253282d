import { isJsonList, isJsonObject, type JsonValue } from "@incipit/provider-kit";
import type { JsonObject } from "@incipit/schema";
import { notAtTop } from "./takes-schema.ts";

const single = ["items", "additionalProperties", "not", "contains", "if", "then", "else"];
const lists = ["anyOf", "oneOf", "allOf", "prefixItems"];
const named = ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"];

/**
 * Without these keywords, which mean the same as their absence, the API rejects the request, and with it the rest of
 * the conversation.
 *
 * - `properties` at the top: "In context=(), object schema missing properties."
 * - `items` of each list: "In context=('properties', …), array schema missing items."
 *
 * Nested objects stay unchanged: the API accepts them, and empty `properties` would suggest to the model that they
 * have no content. So do schemas that are rejected in any case, and those whose top level is a reference that is
 * inlined later.
 */
export function completeToolSchema(schema: JsonObject): JsonObject {
  const told = withItems(schema);
  const isComplete = "properties" in told || told["type"] !== "object" || notAtTop.some((key) => key in told);
  return isComplete ? told : { ...told, properties: {} };
}

function withItems(schema: JsonObject): JsonObject {
  const changed = new Map<string, JsonValue>();
  const change = (keys: readonly string[], to: (value: JsonValue) => JsonValue): void => {
    for (const key of keys) {
      const value = schema[key];
      const next = value === undefined ? undefined : to(value);
      if (next !== undefined && next !== value) changed.set(key, next);
    }
  };
  change(single, (value) => (isJsonList(value) ? inList(value) : inSchema(value)));
  change(lists, (value) => (isJsonList(value) ? inList(value) : value));
  change(named, (value) => (isJsonObject(value) ? inNamed(value) : value));
  const { type } = schema;
  const isOfLists = type === "array" || (isJsonList(type) && type.includes("array"));
  // Alongside this keyword, `items` would allow anything in the list.
  const isOpen = schema["unevaluatedItems"] === undefined;
  if (isOfLists && isOpen && schema["items"] === undefined) changed.set("items", {});
  return changed.size === 0 ? schema : { ...schema, ...Object.fromEntries(changed) };
}

function inSchema(value: JsonValue): JsonValue {
  return isJsonObject(value) ? withItems(value) : value;
}

function inList(values: readonly JsonValue[]): readonly JsonValue[] {
  const next = values.map(inSchema);
  return next.every((value, index) => value === values[index]) ? values : next;
}

function inNamed(schemas: JsonObject): JsonObject {
  const next = Object.entries(schemas).map(([name, value]) => [name, inSchema(value)] as const);
  return next.every(([name, value]) => value === schemas[name]) ? schemas : Object.fromEntries(next);
}
