import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { HostProcess, parseEvents } from "../support/host-process.ts";

const count = 300;

function event(delta: object, finishReason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices })}\n\n`;
}

function startServer(): { readonly url: string; readonly open: () => number } & Disposable & {
    readonly release: () => void;
  } {
  const released = Promise.withResolvers<void>();
  let open = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch(request) {
      if (!request.url.endsWith("/chat/completions")) return new Response(null, { status: 404 });
      const body = async function* (): AsyncGenerator<string> {
        open += 1;
        yield event({ role: "assistant", content: "first" });
        await released.promise;
        open -= 1;
        yield `${event({ content: " second" })}${event({}, "stop")}data: [DONE]\n\n`;
      };
      return new Response(body(), { headers: { "content-type": "text/event-stream" } });
    },
  });
  return {
    url: `${server.url.href}v1`,
    open: () => open,
    release: () => released.resolve(),
    [Symbol.dispose]: () => void server.stop(true),
  };
}

async function eventsUntil(host: HostProcess, id: string, type: string): Promise<string> {
  const response = await host.fetch(`/conversations/${id}/events?after=0`);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes(`event: ${type}\n`)) {
    const { done, value = "" } = (await reader?.read()) ?? { done: true };
    if (done) break;
    text += value;
  }
  await reader?.cancel();
  return text;
}

test(`${count} conversations stream concurrently: each gets its first text while all others are open`, async () => {
  await using folder = await createTempFolder();
  using server = startServer();
  const config = join(folder.path, "incipit.toml");
  await Bun.write(config, `[providers.slow]\nkind = "openai-compatible"\nbase_url = "${server.url}"\n`);
  await using host = await HostProcess.start({ data: join(folder.path, "data"), config, cwd: folder.path });
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { id } = await host.createConversation({ cwd: folder.path, model: "slow/m" });
    const sent = await host.fetch(`/conversations/${id}/turns`, {
      body: { input: `go ${index}` },
      headers: { prefer: "respond-async" },
    });
    expect(sent.status).toBe(202);
    ids.push(id);
  }

  for (const id of ids) expect(await eventsUntil(host, id, "text-delta")).toContain('"text":"first"');
  expect(server.open()).toBe(count);

  server.release();
  for (const id of ids)
    expect(parseEvents(await eventsUntil(host, id, "turn-end")).at(-1)).toMatchObject({ status: "completed" });
});
