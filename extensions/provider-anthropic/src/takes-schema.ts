import { plainSchemas } from "@incipit/ai-sdk-provider";
import type { ToolDefinition } from "@incipit/schema";

/** "input_schema does not support oneOf, allOf, or anyOf at the top level" */
const notAtTop = ["oneOf", "allOf", "anyOf"] as const;

/**
 * One invalid schema rejects the whole request, which hundreds of third-party tools make likely. A tool wrongly
 * refused here is only described as text.
 * "tools.N.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12
 * (https://json-schema.org/draft/2020-12)."
 */
export function takesSchema(tool: Pick<ToolDefinition, "inputSchema">): boolean {
  return notAtTop.every((key) => !(key in tool.inputSchema)) && plainSchemas(tool) !== undefined;
}
