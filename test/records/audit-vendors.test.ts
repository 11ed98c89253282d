import type { AuditedStep, AuditSummary, ConversationId, ModelPrices, Usage } from "@incipit/schema";
import type { WireName } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { World } from "../support/world.ts";

interface VendorRow {
  readonly kind: string;
  readonly api?: "chat";
  readonly wire: WireName;
  readonly model: string;
  /** Others read up to an explicit mark. */
  readonly isByteExact: boolean;
  readonly hasPrices: boolean;
}

const vendors: readonly VendorRow[] = [
  { kind: "openai", wire: "openai-responses", model: "gpt-5.2", isByteExact: true, hasPrices: true },
  { kind: "openai", api: "chat", wire: "openai-chat", model: "gpt-4.1", isByteExact: true, hasPrices: true },
  { kind: "deepseek", wire: "deepseek", model: "not-in-the-catalogue", isByteExact: true, hasPrices: false },
  { kind: "anthropic", wire: "anthropic", model: "claude-sonnet-4-5", isByteExact: false, hasPrices: true },
  { kind: "google", wire: "gemini", model: "gemini-2.5-flash", isByteExact: true, hasPrices: true },
];

/** Brackets, names and marks that only one count includes. */
const tolerance = 0.04;

function predictedTokens({ prefix, usage }: AuditedStep): number {
  if (prefix === null) return Number.NaN;
  return ((usage?.inputTokens ?? Number.NaN) * prefix.sharedBytes) / prefix.sizeBytes;
}

function usdOf(usage: Usage | null, prices: ModelPrices | null): number | null {
  if (usage === null || prices === null) return null;
  const [read, written] = [usage.cacheReadTokens ?? 0, usage.cacheWriteTokens ?? 0];
  const rest = (usage.inputTokens ?? 0) - read - written;
  return (read * (prices.cacheRead ?? 0) + written * (prices.cacheWrite ?? 0) + rest * prices.input) / 1e6;
}

for (const { kind, api, wire, model, isByteExact, hasPrices } of vendors) {
  test(`the audit's share of ${kind}${api === undefined ? "" : ` (${api})`} equals the provider's cache reads`, async () => {
    const cache = { unitTokens: 1, minTokens: 1 };
    await using world = await World.start({
      config: null,
      model: { isStrict: true, wire, usage: "simulated", cache },
      env: { VENDOR_KEY: "key-0123456789" },
    });
    const { model: server } = world;
    const half = "These rules hold always. ".repeat(200);
    const settings = `kind = "${kind}"\n${api === undefined ? "" : `api = "${api}"\n`}api_key_env = "VENDOR_KEY"`;
    const configure = (refresh: string): Promise<void> =>
      world.configure(
        () => `model = "vendor/${model}"\nprompt_refresh = "${refresh}"
system_prompt = "${half}It is [system:time]. ${half}"
[providers.vendor]\n${settings}\nbase_url = "${server.urlOf(wire)}"\n`,
      );
    let id: ConversationId | undefined;
    let audited: readonly AuditedStep[] = [];
    let summary: AuditSummary | undefined;
    let prices: readonly (ModelPrices | null)[] = [];
    for (const refresh of ["compaction", "turn", "compaction"]) {
      await configure(refresh);
      await using host = await world.host();
      id ??= (await host.createConversation()).id;
      for (const input of ["Question", "Another question"]) {
        const events = await host.turn(id, { input });
        expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
      }
      const { client } = host;
      ({ steps: audited, summary } = await client.call(routes.auditConversation, { params: { id } }));
      prices = (await client.call(routes.listSteps, { params: { id } })).steps.map((step) => step.prices);
    }

    expect(audited.map(({ verdict }) => verdict)).toEqual(["first", "held", "broken", "broken", "held", "held"]);
    expect(audited.slice(1).every(({ prefix }) => prefix?.measure === "body")).toBe(true);
    for (const [index, step] of audited.entries()) {
      const { verdict, usage, prefix } = step;
      const reported = server.requests[index]?.usage;
      expect([usage?.inputTokens, usage?.cacheReadTokens]).toEqual([
        reported?.inputTokens,
        reported?.cacheReadTokens,
      ]);
      if (verdict === "first") continue;
      const apart = (predictedTokens(step) - (usage?.cacheReadTokens ?? 0)) / (usage?.inputTokens ?? 1);
      if (verdict === "held" || isByteExact) expect(Math.abs(apart)).toBeLessThan(tolerance);
      else expect(apart).toBeGreaterThan(-tolerance);
      if (verdict !== "broken") continue;
      expect(prefix).toMatchObject({ difference: { part: "system" }, changes: ["[system:time]"] });
      expect(step.share).toBeWithin(0.4, 0.6);
    }
    expect(prices.map((known) => known !== null)).toEqual(prices.map(() => hasPrices));
    expect(audited.map(({ usage }, index) => usdOf(usage, prices[index] ?? null))).toEqual(
      audited.map(({ inputUsd }) => (inputUsd?.billed == null ? null : expect.closeTo(inputUsd.billed, 10))),
    );
    const wasted = audited.map(({ verdict, inputUsd }) =>
      verdict === "broken" ? (inputUsd?.billed ?? 0) - (inputUsd?.unbroken ?? 0) : 0,
    );
    if (!hasPrices) expect(summary).toMatchObject({ inputUsd: null, pricedSteps: 0 });
    else
      expect(summary?.inputUsd?.wasted).toBeCloseTo(
        wasted.reduce((total, usd) => total + usd),
        10,
      );
  }, 300_000);
}
