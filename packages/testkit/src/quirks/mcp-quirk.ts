import type { McpScript, McpWire } from "../mcp/mcp-script.ts";

/** Something that an MCP server does and that no specification has, as somebody has reported it. */
export interface McpQuirk {
  readonly id: string;
  /** Public reports of comparable programs, as `project#number`. */
  readonly sources: readonly string[];
  /** What the server does, in a sentence. */
  readonly does: string;
  /** In place of a valid server's answers. */
  readonly script: McpScript;
  /** Absent: all of them. */
  readonly wires?: readonly McpWire[];
  readonly sees: {
    /** Names of the tools; absent: `echo`. */
    readonly tools?: readonly string[];
    /** What a call of `echo` returns; absent: `done`. `null`: it is not called. */
    readonly text?: string | null;
    /** Words of the problem with its list, or of the error of the call. */
    readonly says?: string;
  };
  /** The server was usable before anybody listed it here: no change was made for it. */
  readonly held?: true;
}
