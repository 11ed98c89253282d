import { isJsonList, isJsonObject, mapSchemas } from "@incipit/provider-kit";
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
  return mapSchemas(schema, reader === "grammar" ? withoutPattern : withTypedChoices);
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
