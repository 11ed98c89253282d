const eventsBeforeCut = 3;

/** Loses the response to the first streaming request, and all but the first events of each other one. */
export function startCuttingProxy(hostUrl: string): { readonly url: string } & AsyncDisposable {
  let streams = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.delete("host");
      const body = request.method === "GET" ? null : await request.arrayBuffer();
      const answer = await fetch(`${hostUrl}${pathname}${search}`, { method: request.method, headers, body });
      if (answer.body === null || answer.headers.get("content-type")?.startsWith("text/event-stream") !== true)
        return answer;
      streams += 1;
      if (streams > 1) return new Response(firstEvents(answer.body), { headers: answer.headers });
      await answer.body.cancel();
      return new Response("Bad gateway", { status: 502 });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) };
}

async function* firstEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let count = 0;
  for await (const bytes of body) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      yield `${block}\n\n`;
      // Comments are not events.
      count += block.includes("data: ") ? 1 : 0;
      if (count === eventsBeforeCut) return;
    }
  }
}
