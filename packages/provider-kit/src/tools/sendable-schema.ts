import type { JsonObject } from "@incipit/schema";
import { isJsonList, isJsonObject, mapSchemas, type JsonValue } from "./map-schemas.ts";

/**
 * Converts a tool's schema to a form that all vendors accept, because a rejected tool breaks all requests of a
 * conversation. Top-level alternatives become one object with all properties; arguments are validated against the
 * original schema.
 *
 * - Anthropic: "input_schema does not support oneOf, allOf, or anyOf at the top level"; OpenAI: "schema must have type
 * 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level".
 * - `exclusiveMinimum: true` of JSON Schema draft 4: "True is not of type 'number'".
 */
export function sendableSchema(schema: JsonObject): JsonObject {
  return mapSchemas(withPlainTop(schema), withNumericBounds);
}

const choices = ["anyOf", "oneOf", "allOf"] as const;

function withPlainTop(schema: JsonObject): JsonObject {
  const { anyOf, oneOf, allOf, enum: _enum, not: _not, ...own } = schema;
  if (choices.every((key) => schema[key] === undefined) && _enum === undefined && _not === undefined) return schema;
  const parts = [anyOf, oneOf, allOf].flatMap((list) => (isJsonList(list) ? list : [])).filter(isJsonObject);
  const plain = parts.map(withPlainTop);
  const properties: [string, JsonValue][] = [];
  for (const each of [...plain, own])
    for (const property of Object.entries(isJsonObject(each["properties"]) ? each["properties"] : {}))
      if (!properties.some(([name]) => name === property[0])) properties.push(property);
  const required = new Set([
    ...requiredOf(own),
    ...inAll(choiceOf(anyOf)),
    ...inAll(choiceOf(oneOf)),
    ...all(allOf),
  ]);
  return {
    ...own,
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.size === 0 ? {} : { required: [...required] }),
  };
}

function choiceOf(list: JsonValue | undefined): readonly (readonly string[])[] {
  return isJsonList(list) ? list.filter(isJsonObject).map((each) => requiredOf(withPlainTop(each))) : [];
}

/** A caller may choose any alternative. */
function inAll([first = [], ...rest]: readonly (readonly string[])[]): readonly string[] {
  return first.filter((name) => rest.every((other) => other.includes(name)));
}

function all(list: JsonValue | undefined): readonly string[] {
  return choiceOf(list).flat();
}

function requiredOf({ required }: JsonObject): readonly string[] {
  return isJsonList(required) ? required.filter((name) => typeof name === "string") : [];
}

const bounds = [
  ["exclusiveMinimum", "minimum"],
  ["exclusiveMaximum", "maximum"],
] as const;

/** Returns the same object if nothing changes. */
function withNumericBounds(schema: JsonObject): JsonObject {
  let next = schema;
  for (const [exclusive, bound] of bounds) {
    const value = next[exclusive];
    if (typeof value !== "boolean") continue;
    const { [exclusive]: _, ...rest } = next;
    const limit = rest[bound];
    if (!value || typeof limit !== "number") next = rest;
    else {
      const { [bound]: __, ...others } = rest;
      next = { ...others, [exclusive]: limit };
    }
  }
  return next;
}
