import { sampleOf, type WireName } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";
import { prefixOf } from "../support/request-body.ts";
import { HostWorld } from "../support/host-world.ts";

interface VendorWire {
  readonly provider: string;
  readonly wire: WireName;
  readonly hasReasoning: boolean;
  readonly noCalls: object;
}

const wires: readonly VendorWire[] = [
  {
    provider: 'kind = "openai"',
    wire: "openai-responses",
    hasReasoning: true,
    noCalls: { tool_choice: "none" },
  },
  {
    provider: 'kind = "openai"\napi = "chat"',
    wire: "openai-chat",
    hasReasoning: false,
    noCalls: { tool_choice: "none" },
  },
  {
    provider: 'kind = "openai-compatible"',
    wire: "openai-chat",
    hasReasoning: true,
    noCalls: { tool_choice: "none" },
  },
  { provider: 'kind = "deepseek"', wire: "deepseek", hasReasoning: false, noCalls: { tool_choice: "none" } },
  {
    provider: 'kind = "anthropic"',
    wire: "anthropic",
    hasReasoning: true,
    noCalls: { tool_choice: { type: "none" } },
  },
  {
    provider: 'kind = "google"',
    wire: "gemini",
    hasReasoning: true,
    noCalls: { toolConfig: { functionCallingConfig: { mode: "NONE" } } },
  },
];

const toolsSchema = z.object({ tools: z.array(z.unknown()) });
const exact = { isStrict: true, usage: "simulated", cache: { unitTokens: 1, minTokens: 1 } } as const;

function callsOf(turn: number, count: number) {
  const calls = Array.from({ length: count }, (_, index) => ({
    id: `call_${turn}_${index}`,
    name: "read_file",
    arguments: '{"path":"AGENTS.md"}',
  }));
  return { kind: "tool-calls", text: "I look", calls, reasoning: { text: "Hm", signature: "c2ln" } } as const;
}

const taken = sampleOf(wires.map(({ provider }) => provider));

for (const { provider, wire, hasReasoning, noCalls } of wires) {
  test.skipIf(!taken.has(provider))(
    `[byte-prefix] a conversation over ${provider.replaceAll("\n", ", ")} has full cache reads across tools, restarts and failures`,
    async () => {
      await using world = await HostWorld.create({
        model: "vendor/test",
        server: { ...exact, wire },
        env: { K: "sk-test-0123456789" },
        config: (server) => `system_prompt = "[system:time] [file:AGENTS.md]"\ntools.workspace = true
[providers.vendor]\n${provider}\nbase_url = "${server.urlOf(wire)}"\napi_key_env = "K"`,
      });
      const { model } = world;
      await Bun.write(join(world.cwd, "AGENTS.md"), "be brief");
      let host = await world.start();
      const { id } = await host.createConversation();
      const turn = async (input: string): Promise<unknown> => (await host.turn(id, { input })).at(-1);
      for (const [index, calls] of [2, 20, 1].entries()) {
        model.enqueue(callsOf(index, calls));
        expect(await turn(`question ${index}`)).toMatchObject({ status: "completed" });
        await host.kill("SIGKILL");
        host = await world.start();
      }
      model.enqueue({ kind: "error", status: 400, body: '{"error":{"message":"no"}}' });
      expect(await turn("refused")).toMatchObject({ status: "failed" });
      expect(await turn("again")).toMatchObject({ status: "completed" });

      const { requests } = model;
      expect(requests).toHaveLength(8);
      for (const [index, { body, usage }] of requests.entries()) {
        const before = requests[index - 1];
        if (before === undefined) continue;
        expect(body).toStartWith(prefixOf(before.body));
        if (before.usage === undefined || usage === undefined) continue;
        expect(usage.cacheReadTokens).toBeGreaterThanOrEqual((before.usage.inputTokens ?? 0) - 1);
      }

      expect(requests[1]?.body.includes('"Hm"')).toBe(hasReasoning);

      const client = createClient({ url: host.url, token: host.token });
      await client.call(routes.compactConversation, { params: { id } });
      const compaction = model.requests.at(-1)?.body ?? "";
      expect(JSON.parse(compaction)).toMatchObject(noCalls);
      expect(toolsSchema.parse(JSON.parse(compaction)).tools).toEqual(
        toolsSchema.parse(JSON.parse(requests[0]?.body ?? "")).tools,
      );
      expect(await turn("after")).toMatchObject({ status: "completed" });
      expect(model.problems).toEqual([]);
    },
    300_000,
  );
}
