import type { ToolDefinition } from "@incipit/schema";

/** A tool available only through tool search. */
export interface DeferredTool {
  readonly definition: ToolDefinition;
  /** Its MCP server or extension. */
  readonly server: string;
}
