import { plainSchemas } from "@incipit/ai-sdk-provider";
import type { ToolDefinition } from "@incipit/schema";

/** "input_schema does not support oneOf, allOf, or anyOf at the top level" */
const notAtTop = ["oneOf", "allOf", "anyOf"] as const;

/**
 * Whether the API takes a tool's schema. One that it does not take refuses the request with all its tools, and with hundreds of
 * them from strangers there is one soon. What is left out here for no reason is only told as a text.
 *
 * "tools.N.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12
 * (https://json-schema.org/draft/2020-12)."
 */
export function takesSchema(tool: Pick<ToolDefinition, "inputSchema">): boolean {
  return notAtTop.every((key) => !(key in tool.inputSchema)) && plainSchemas(tool) !== undefined;
}
