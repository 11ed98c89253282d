import {
  addAuditSummaries,
  auditSummarySchema,
  emptyAuditSummary,
  type ExportLine,
  type Usage,
} from "@incipit/schema";
import { expect, test } from "bun:test";
import { countedUsage } from "./model-stream.ts";
import { createWorld, say, type World } from "../testing/test-world.ts";

const none = { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };

async function* linesOf(lines: readonly ExportLine[]): AsyncGenerator<ExportLine> {
  yield* lines;
}

async function askThrice(world: World, usage: Usage): Promise<Awaited<ReturnType<World["conversations"]["get"]>>> {
  const conversation = await world.conversations.create({});
  for (const input of ["one", "two", "three"]) {
    world.scripts.push(async function* () {
      for await (const event of say("Yes.")) yield event.type === "finish" ? { ...event, usage } : event;
    });
    await world.turn(conversation.id, input);
  }
  return world.conversations.get(conversation.id);
}

test("[attack:vendor-usage] impossible token counts are ignored, and the audit stays valid", async () => {
  await using world = await createWorld({});
  const most = Number.MAX_SAFE_INTEGER;
  const { id } = await askThrice(world, { ...none, inputTokens: most, outputTokens: most, reasoningTokens: most });
  await askThrice(world, { ...none, inputTokens: -5, outputTokens: 0.5 });
  const honest = await askThrice(world, { ...none, inputTokens: 7, outputTokens: 3 });

  const { totals } = await world.records.audits({ limit: 100, onlyBroken: "false" });
  const lines = await Array.fromAsync(world.conversations.exportLines(id));
  await using elsewhere = await createWorld({});

  expect(auditSummarySchema.parse(totals).tokens.input).toBe(21);
  expect((await world.records.audit(honest.id, { limit: 100 })).summary.tokens.input).toBe(21);
  expect(await elsewhere.conversations.importLines(linesOf(lines))).toMatchObject({ id });
  // The former sum exceeded the schema's limit.
  expect(auditSummarySchema.safeParse({ ...emptyAuditSummary, previousBytes: most + most }).success).toBe(false);
  expect(addAuditSummaries(totals, totals).tokens.input).toBe(42);
});

test("countedUsage accepts any value from a plain JavaScript provider", () => {
  for (const given of [undefined, null, "many", [], { inputTokens: "7" }, { outputTokens: Number.NaN }])
    expect(countedUsage(given)).toEqual(none);
  expect(countedUsage({ ...none, inputTokens: 1_000_000_000, reasoningTokens: 4 })).toEqual({
    ...none,
    inputTokens: 1_000_000_000,
    reasoningTokens: 4,
  });
});
