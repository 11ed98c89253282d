import type { McpScript, McpWire } from "../mcp/mcp-script.ts";

/** Behaviour of real MCP servers that no specification describes. */
export interface McpQuirk {
  readonly id: string;
  /** Reports of comparable programs, as `project#number`. */
  readonly sources: readonly string[];
  readonly does: string;
  readonly script: McpScript;
  /** All by default. */
  readonly wires?: readonly McpWire[];
  readonly sees: {
    /** `echo` by default. */
    readonly tools?: readonly string[];
    /** Result of calling `echo`, `done` by default; `null` for no call. */
    readonly text?: string | null;
    /** Part of the list's problem, or of the call's error. */
    readonly says?: string;
  };
}
