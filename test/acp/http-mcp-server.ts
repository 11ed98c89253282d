import * as z from "zod";

const messageSchema = z.looseObject({ id: z.unknown().optional(), method: z.string().optional() });

export interface WebServerOfTools extends AsyncDisposable {
  readonly url: string;
  readonly credentials: readonly (string | null)[];
}

/** The tool `echo` returns the text and the query of its URL. */
export function startHttpMcpServer(text: string): WebServerOfTools {
  const credentials: (string | null)[] = [];
  const results = new Map<string | undefined, object>([
    [
      "initialize",
      {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "web", version: "1.0.0" },
      },
    ],
    ["tools/list", { tools: [{ name: "echo", description: "Echoes", inputSchema: { type: "object" } }] }],
  ]);
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      credentials.push(request.headers.get("authorization"));
      if (request.method !== "POST") return new Response(null, { status: 405 });
      const { id, method } = messageSchema.parse(await request.json());
      const given = { content: [{ type: "text", text: `${text} ${new URL(request.url).search}` }] };
      const result = method === "tools/call" ? given : results.get(method);
      return result === undefined
        ? new Response(null, { status: 202 })
        : Response.json({ jsonrpc: "2.0", id, result });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/mcp`,
    credentials,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
