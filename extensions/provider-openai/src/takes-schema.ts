import type { ToolDefinition } from "@incipit/schema";

/** "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level" */
const notAtTop = ["oneOf", "anyOf", "allOf", "enum", "not"] as const;

/**
 * Whether the API takes a tool's schema; one that it does not take refuses the request, and each later one of the conversation.
 * What is left out here for no reason is only told as a text.
 *
 * "Invalid schema for function …: In context=('properties', …), array schema missing items"
 */
export function takesSchema({ inputSchema }: Pick<ToolDefinition, "inputSchema">): boolean {
  if (notAtTop.some((key) => key in inputSchema)) return false;
  const waiting: unknown[] = [inputSchema];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== "object" || value === null) continue;
    if (isList(value) && !("items" in value)) return false;
    waiting.push(...Object.values(value));
  }
  return true;
}

function isList(schema: object): boolean {
  if (!("type" in schema)) return false;
  return schema.type === "array" || (Array.isArray(schema.type) && schema.type.includes("array"));
}
