import { isJsonList, mapSchemas } from "@incipit/provider-kit";
import type { JsonObject } from "@incipit/schema";
import { notAtTop } from "./takes-schema.ts";

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
  const told = mapSchemas(schema, withItems);
  const isComplete = "properties" in told || told["type"] !== "object" || notAtTop.some((key) => key in told);
  return isComplete ? told : { ...told, properties: {} };
}

function withItems(schema: JsonObject): JsonObject {
  const { type } = schema;
  const isOfLists = type === "array" || (isJsonList(type) && type.includes("array"));
  // Alongside this keyword, `items` would allow anything in the list.
  const isOpen = schema["unevaluatedItems"] === undefined;
  return isOfLists && isOpen && schema["items"] === undefined ? { ...schema, items: {} } : schema;
}
