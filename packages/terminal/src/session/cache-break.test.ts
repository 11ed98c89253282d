import { auditedStepSchema, emptyAuditSummary, type AuditedStep } from "@incipit/schema";
import { createClient } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { CacheBreakWatch } from "./cache-break.ts";

const conversationId = "01a1fcd7-5c9a-7556-afda-000000000000";

function idOf(number: number): string {
  return `01a1fcd7-5c9a-7556-afda-${String(number).padStart(12, "0")}`;
}

function stepOf(
  number: number,
  { turn, verdict }: { readonly turn: number; readonly verdict: string },
): AuditedStep {
  return auditedStepSchema.parse({
    id: idOf(number),
    turnId: idOf(1_000 + turn),
    epoch: 1,
    purpose: "turn",
    model: "local/test",
    startedAt: "2026-01-01T00:00:00.000Z",
    usage: null,
    verdict,
    reason: null,
    share: null,
    prefix: null,
    inputUsd: null,
    warning: null,
  });
}

function hostWith(steps: readonly AuditedStep[]): {
  readonly watch: CacheBreakWatch;
  readonly given: () => number;
} {
  let count = 0;
  const client = createClient({
    url: "http://host.test",
    token: "token",
    async fetch(address) {
      const query = new URL(address).searchParams;
      const [cursor, limit] = [query.get("cursor") ?? "", Number(query.get("limit"))];
      const page = steps.filter(({ id }) => id > cursor).slice(0, limit);
      count += page.length;
      const next = page.length < limit ? {} : { nextCursor: page.at(-1)?.id };
      return Response.json({ steps: page, summary: emptyAuditSummary, ...next });
    },
  });
  return { watch: new CacheBreakWatch(client, conversationId), given: () => count };
}

test("brokenIn reads only new calls of an ended turn", async () => {
  const steps = Array.from({ length: 1_200 }, (_, index) => stepOf(index, { turn: 1, verdict: "held" }));
  const { watch, given } = hostWith(steps);

  await watch.brokenIn(idOf(1_001));
  const before = given();
  steps.push(stepOf(1_200, { turn: 2, verdict: "broken" }), stepOf(1_201, { turn: 2, verdict: "held" }));
  const broken = await watch.brokenIn(idOf(1_002));

  expect([before, given()]).toEqual([1_200, 1_202]);
  expect(broken?.stepId).toBe(idOf(1_200));
});

test("brokenIn finds a call that it read before its turn ended", async () => {
  const steps = [stepOf(0, { turn: 1, verdict: "held" }), stepOf(1, { turn: 2, verdict: "unsent" })];
  const { watch } = hostWith(steps);

  await watch.brokenIn(idOf(1_001));
  steps[1] = stepOf(1, { turn: 2, verdict: "broken" });

  expect((await watch.brokenIn(idOf(1_002)))?.stepId).toBe(idOf(1));
});
