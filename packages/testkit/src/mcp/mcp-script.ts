/** Transport of a server: a program, HTTP with JSON bodies, HTTP with events. */
export type McpWire = "stdio" | "json" | "events";

export const mcpWires: readonly McpWire[] = ["stdio", "json", "events"];

/**
 * Lines that a server sends for a request; `$id` is replaced with its id, and `$count` with the number of requests
 * so far.
 */
export type McpLines = readonly string[];

/** Prefix of a line that is sent with the answer to the next request. */
export const lateMark = "@late ";

/** Lines by method, or by method and cursor such as `tools/list 2`. */
export type McpScript = Readonly<Record<string, McpLines>>;

export function resultLine(result: unknown, more: object = {}): string {
  const id = "$id";
  return JSON.stringify({ jsonrpc: "2.0", id, result, ...more }).replace('"$id"', id);
}

export const validTool = { name: "echo", description: "Echoes", inputSchema: { type: "object" } };

export const validInitialize = {
  protocolVersion: "2025-06-18",
  capabilities: { tools: {} },
  serverInfo: { name: "quirky", version: "1.0.0" },
};

/** A well-behaved server. */
export const validMcpScript: McpScript = {
  initialize: [resultLine(validInitialize)],
  "tools/list": [resultLine({ tools: [validTool] })],
  "tools/call": [resultLine({ content: [{ type: "text", text: "done" }] })],
};
