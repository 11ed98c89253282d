import * as z from "zod";

const messageSchema = z.looseObject({ id: z.unknown().optional(), method: z.string().optional() });
type Message = z.infer<typeof messageSchema>;

interface SeenRequest {
  readonly method: string;
  readonly rpc: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export interface McpHttpServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
}

const listed = { tools: [{ name: "echo", description: "Echoes", inputSchema: { type: "object" } }] };

export function startMcpHttpServer(
  answerCall: (message: Message, sessions: Set<string>) => Response | Promise<Response>,
): McpHttpServer {
  const requests: SeenRequest[] = [];
  const sessions = new Set<string>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { method } = request;
      const message = method === "POST" ? messageSchema.parse(await request.json()) : { id: undefined };
      requests.push({ method, rpc: message.method, headers: Object.fromEntries(request.headers) });
      const session = request.headers.get("mcp-session-id");
      if (message.method === "initialize") {
        const id = `session-${sessions.size + 1}`;
        sessions.add(id);
        const serverInfo = { name: "fixture", version: "1.0.0" };
        const result = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo };
        return Response.json({ jsonrpc: "2.0", id: message.id, result }, { headers: { "mcp-session-id": id } });
      }
      if (session === null || !sessions.has(session)) return new Response("No such session", { status: 404 });
      if (method === "DELETE") sessions.delete(session);
      if (method !== "POST") return new Response(null, { status: method === "DELETE" ? 200 : 405 });
      if (message.method === "tools/list") return Response.json({ jsonrpc: "2.0", id: message.id, result: listed });
      return message.method === "tools/call" ? answerCall(message, sessions) : new Response(null, { status: 202 });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/mcp`,
    requests,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

export function textResult(text: string): { readonly content: readonly object[] } {
  return { content: [{ type: "text", text }] };
}

export function endlessBody(part: string, parts: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(part);
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      sent += 1;
      if (sent > parts) controller.close();
      else controller.enqueue(bytes);
    },
  });
}
