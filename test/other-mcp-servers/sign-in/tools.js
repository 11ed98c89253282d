import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";

export const answer = "what the signed-in user has noted";

/** Answers a request with a verified token. Stateless: each request has its own session. */
export async function answerMcp(request) {
  const server = new McpServer({ name: "notes", version: "1.0.0" });
  server.registerTool("notes", { description: "Reads the notes" }, () => ({
    content: [{ type: "text", text: answer }],
  }));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return await transport.handleRequest(request);
}
