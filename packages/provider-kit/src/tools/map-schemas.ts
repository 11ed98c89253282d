import type { JsonObject } from "@incipit/schema";

export type JsonValue = JsonObject[string];

type Change = (schema: JsonObject) => JsonObject;

const data = new Set(["const", "default", "enum", "examples"]);
const named = new Set(["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"]);

/** Changes a schema, then each schema in it. Returns the same object if nothing changes. */
export function mapSchemas(schema: JsonObject, change: Change): JsonObject {
  const own = change(schema);
  const inner = (value: JsonValue): JsonValue => (isJsonObject(value) ? mapSchemas(value, change) : inList(value));
  const inList = (value: JsonValue): JsonValue => {
    if (!isJsonList(value)) return value;
    const next = value.map(inner);
    return next.every((each, index) => each === value[index]) ? value : next;
  };
  return withMembers(own, (key, value) => {
    if (data.has(key)) return value;
    return named.has(key) && isJsonObject(value) ? withMembers(value, (_name, each) => inner(each)) : inner(value);
  });
}

function withMembers(object: JsonObject, change: (key: string, value: JsonValue) => JsonValue): JsonObject {
  const changed = Object.entries(object).flatMap(([key, value]): [string, JsonValue][] => {
    const to = change(key, value);
    return to === value ? [] : [[key, to]];
  });
  return changed.length === 0 ? object : Object.fromEntries([...Object.entries(object), ...changed]);
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !isJsonList(value);
}

export function isJsonList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
