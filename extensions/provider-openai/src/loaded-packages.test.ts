import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";

const loadedSchema = z.array(z.string());

function loadedBy(endpoint: string, end: "finish" | "failure" = "finish"): readonly string[] {
  const script = `
    import { createOpenaiProvider } from ${JSON.stringify(join(import.meta.dir, "openai-provider.ts"))};
    const chunk = { id: "c", choices: [{ index: 0, delta: { content: "a" }, finish_reason: "stop" }] };
    const headers = { "content-type": "text/event-stream" };
    const net = { fetch: async () => new Response("data: " + JSON.stringify(chunk) + "\\n\\n", { headers }) };
    const endpoint = { baseUrl: "http://acme.test/v1", ...${endpoint} };
    const provider = createOpenaiProvider({ id: "local", endpoint, net, env: { get: () => "k" } });
    const { signal } = new AbortController();
    const request = { model: "m", conversationId: "c", systemPrompt: [], messages: [], tools: [], signal, observe() {} };
    const events = await Array.fromAsync(provider.stream(request));
    if (events.at(-1).type !== "${end}") throw new Error(JSON.stringify(events));
    console.log(JSON.stringify(Object.keys(require.cache)));
  `;
  const { stdout, stderr, success } = Bun.spawnSync([process.execPath, "-e", script], { cwd: import.meta.dir });
  if (!success) throw new Error(stderr.toString());
  return loadedSchema.parse(JSON.parse(stdout.toString()));
}

test.each(['{ kind: "openai-compatible" }', '{ kind: "openai", api: "chat" }', '{ kind: "deepseek" }'])(
  "provider-openai answers from %s without loading AI SDK packages",
  (endpoint) => {
    const loaded = loadedBy(endpoint);

    expect(loaded.filter((file) => file.includes("@ai-sdk"))).toEqual([]);
    expect(loaded.some((file) => file.includes("packages/wire/"))).toBe(true);
  },
);

test("provider-openai loads the Responses API package with its first call", () => {
  expect(loadedBy('{ kind: "openai" }', "failure").some((file) => file.includes("@ai-sdk/openai"))).toBe(true);
});
