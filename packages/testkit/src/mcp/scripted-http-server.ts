import type { McpScript, McpWire } from "./mcp-script.ts";
import { ScriptedAnswers } from "./scripted-answers.ts";

export interface ScriptedHttpServer extends AsyncDisposable {
  readonly url: string;
}

export function startScriptedHttpServer(script: McpScript, wire: Exclude<McpWire, "stdio">): ScriptedHttpServer {
  const answers = new ScriptedAnswers(script);
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      if (request.method !== "POST") return new Response(null, { status: 405 });
      const lines = answers.take(await request.text());
      if (lines.length === 0) return new Response(null, { status: 202 });
      if (wire === "events") return events(lines);
      const [only = "", ...others] = lines;
      return others.length === 0
        ? new Response(only, { headers: { "content-type": "application/json" } })
        : events(lines);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/mcp`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

function events(lines: readonly string[]): Response {
  const body = lines.map((line) => `event: message\ndata: ${line}\n\n`).join("");
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
