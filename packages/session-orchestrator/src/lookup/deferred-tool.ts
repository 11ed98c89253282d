import type { ToolDefinition } from "@incipit/schema";

/** A tool that no request names. */
export interface DeferredTool {
  readonly definition: ToolDefinition;
  /** The server, or the extension, that it is of. */
  readonly server: string;
}
