/** A program, HTTP with JSON bodies, HTTP with events. */
export type McpWire = "stdio" | "json" | "events";

export const mcpWires: readonly McpWire[] = ["stdio", "json", "events"];

/** `$id` is replaced with the request's id, `$count` with the number of requests so far. */
export type McpLines = readonly string[];

/** The line is sent with the answer to the next request. */
export const lateMark = "@late ";

/** By method, or method and cursor such as `tools/list 2`. */
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

export const validMcpScript: McpScript = {
  initialize: [resultLine(validInitialize)],
  "tools/list": [resultLine({ tools: [validTool] })],
  "tools/call": [resultLine({ content: [{ type: "text", text: "done" }] })],
};
