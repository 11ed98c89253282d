import { plainSchemas, type PlainSchema } from "@incipit/provider-kit";
import type { ToolDefinition } from "@incipit/schema";

/** "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level" */
export const notAtTop = ["oneOf", "anyOf", "allOf", "enum", "not"] as const;

/**
 * An invalid schema rejects the request and every later request of the conversation. A tool wrongly refused here is
 * only described as text.
 * "Invalid schema for function …: In context=(), object schema missing properties."
 * "Invalid schema for function …: In context=('properties', …), array schema missing items"
 */
export function takesSchema(tool: Pick<ToolDefinition, "inputSchema">): boolean {
  if (notAtTop.some((key) => key in tool.inputSchema)) return false;
  const schemas = plainSchemas(tool);
  return schemas !== undefined && schemas.every(saysWhatIsInIt);
}

function saysWhatIsInIt(schema: PlainSchema): boolean {
  return (
    (!isOf(schema, "object") || "properties" in schema) &&
    (!isOf(schema, "array") || typeof schema["items"] === "object") &&
    typeof schema["items"] !== "boolean"
  );
}

function isOf({ type }: PlainSchema, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}
