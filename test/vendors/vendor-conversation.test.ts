import { sampleOf, type WireName } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { HostWorld } from "../support/host-world.ts";

interface VendorRow {
  readonly kind: string;
  readonly api?: "chat";
  readonly wire: WireName;
  readonly model: string;
  readonly hasCallIds: boolean;
}

const vendors: readonly VendorRow[] = [
  { kind: "openai", wire: "openai-responses", model: "gpt-5.2", hasCallIds: true },
  { kind: "openai", api: "chat", wire: "openai-chat", model: "gpt-4.1", hasCallIds: true },
  { kind: "openai-compatible", wire: "openai-chat", model: "test", hasCallIds: true },
  { kind: "deepseek", wire: "deepseek", model: "deepseek-v4-flash", hasCallIds: true },
  { kind: "anthropic", wire: "anthropic", model: "claude-sonnet-4-5", hasCallIds: true },
  { kind: "google", wire: "gemini", model: "gemini-3-pro-preview", hasCallIds: false },
  { kind: "google", wire: "gemini", model: "gemma-3-27b-it", hasCallIds: false },
];
const turns = 30;

const taken = sampleOf(vendors.map(({ kind, model }) => `${kind} ${model}`));

for (const { kind, api, wire, model, hasCallIds } of vendors) {
  test.skipIf(!taken.has(`${kind} ${model}`))(
    `[byte-prefix] ${kind}${api === undefined ? "" : ` (${api})`} with ${model}: over ${turns} turns, the cache contains each previous request`,
    async () => {
      const cache = { unitTokens: 1, minTokens: 1 };
      await using world = await HostWorld.create({
        model: `vendor/${model}`,
        server: { isStrict: true, wire, usage: "simulated", cache },
        env: { VENDOR_KEY: "key-0123456789" },
        config: (server) => `system_prompt = "[system:time] [file:AGENTS.md]"\ntools.workspace = true
[providers.vendor]\nkind = "${kind}"\n${api === undefined ? "" : `api = "${api}"\n`}base_url = "${server.urlOf(wire)}"\napi_key_env = "VENDOR_KEY"`,
      });
      const { model: server } = world;
      const file = join(world.cwd, "AGENTS.md");
      await Bun.write(file, "be brief");
      let host = await world.start();
      const { id } = await host.createConversation();
      for (let turn = 1; turn <= turns; turn += 1) {
        const reasoning = {
          text: `Thought ${turn}`,
          signature: Buffer.from(`signature ${turn}`).toString("base64"),
        };
        const call = { name: "read_file", arguments: '{"path": "AGENTS.md"}' };
        server.enqueue(
          { kind: "tool-calls", reasoning, calls: [{ ...call, id: hasCallIds ? `call_${turn}` : "" }] },
          { kind: "text", reasoning, chunks: ["It says ", `NUL \u0000 é 🎉 ${turn}`] },
        );
        const events = await host.turn(id, { input: `Question ${turn}` });
        expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
        if (turn % 10 !== 0) continue;
        await Bun.write(file, `be brief, for the ${turn}th time`);
        await host.kill(turn === 10 ? "SIGKILL" : "SIGTERM");
        host = await world.start();
      }

      const client = createClient({ url: host.url, token: host.token });
      const { steps } = await client.call(routes.listSteps, { params: { id }, query: { limit: 1_000 } });
      const reported = server.requests.map(({ usage }) => usage);
      expect(reported).toHaveLength(turns * 2);
      const before = reported.slice(0, -1).map((usage) => usage?.inputTokens ?? Number.NaN);
      expect(reported.slice(1).map((usage) => usage?.cacheReadTokens ?? Number.NaN)).toEqual(before);
      expect(steps.map(({ usage }) => [usage?.inputTokens, usage?.cacheReadTokens])).toEqual(
        reported.map((usage) => [usage?.inputTokens, usage?.cacheReadTokens]),
      );
      expect(steps.filter(({ firstDifference }) => firstDifference !== null)).toEqual([]);
      const audit = await client.call(routes.auditConversation, { params: { id } });
      expect(
        new Set(audit.steps.slice(1).map(({ verdict, share, prefix }) => `${verdict} ${share} ${prefix?.measure}`)),
      ).toEqual(new Set(["held 1 body"]));
      expect(audit.summary).toMatchObject({ steps: turns * 2, held: turns * 2 - 1, broken: 0, share: 1 });
    },
    300_000,
  );
}
