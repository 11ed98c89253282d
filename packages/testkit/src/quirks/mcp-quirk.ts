import type { McpScript, McpWire } from "../mcp/mcp-script.ts";

/** A reported behaviour of an MCP server that no specification describes. */
export interface McpQuirk {
  readonly id: string;
  /** Public reports of comparable programs, as `project#number`. */
  readonly sources: readonly string[];
  /** The server's behaviour, in a sentence. */
  readonly does: string;
  /** Replaces answers of a valid server. */
  readonly script: McpScript;
  /** All by default. */
  readonly wires?: readonly McpWire[];
  readonly sees: {
    /** Tool names, by default `echo`. */
    readonly tools?: readonly string[];
    /** Result of calling `echo`, by default `done`; `null` for no call. */
    readonly text?: string | null;
    /** Part of the problem with the list, or of the error of the call. */
    readonly says?: string;
  };
  /** Worked before it was listed here, without a change. */
  readonly held?: true;
}
