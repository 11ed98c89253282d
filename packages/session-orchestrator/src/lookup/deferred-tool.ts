import type { ToolDefinition } from "@incipit/schema";

export interface DeferredTool {
  readonly definition: ToolDefinition;
  readonly server: string;
}
