import type { ToolDefinition } from "@incipit/schema";

/** Available only through tool search. */
export interface DeferredTool {
  readonly definition: ToolDefinition;
  /** MCP server or extension. */
  readonly server: string;
}
