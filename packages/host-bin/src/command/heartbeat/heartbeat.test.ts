import { heartbeatSchema, heartbeatWakeSchema, type Heartbeat, type HeartbeatWake } from "@incipit/schema";
import { expect, test } from "bun:test";
import { runAgainst, type RanAgainst } from "../testing/run-command.ts";

const wake = heartbeatWakeSchema.parse({
  id: "01a1fcd7-5c9a-7556-afda-76769002c75c",
  dueAt: "2026-11-23T18:30:00.000Z",
  outcome: "alert",
  conversationId: "01a1fcd7-5c9a-7556-afda-000000000001",
  turnId: "01a1fcd7-5c9a-7556-afda-000000000002",
  endedAt: "2026-11-23T18:30:07.000Z",
  reply: "The disk is \u001B[31mfull\u001B[0m.\nDo something.",
  repeated: true,
  tokens: 1_842,
  usd: 0.004,
  unpriced: 0,
  error: null,
} satisfies Record<keyof HeartbeatWake, unknown>);
const state = heartbeatSchema.parse({
  enabled: true,
  nextAt: "2026-11-23T19:00:00.000Z",
  conversationId: null,
  lastWake: wake,
  lastAlert: wake,
  tokensToday: 1_842,
  usdToday: 0.5,
  unpricedToday: 2,
} satisfies Record<keyof Heartbeat, unknown>);

function ran(words: readonly string[], ...answers: readonly unknown[]): Promise<RanAgainst> {
  return runAgainst(["heartbeat", ...words], ...answers);
}

test("heartbeat shows the next wake, the last outcome and usage, or how to enable it", async () => {
  const shown = await ran([], { heartbeat: state });
  const off = await ran(["show"], { heartbeat: { ...state, enabled: false } });

  expect(shown.stdout).toBe(
    "next 2026-11-23 19:00 UTC  last 2026-11-23 18:30 UTC alert, repeated  today 1,842 tokens, $0.50, 2 calls without a price\n",
  );
  expect(off).toMatchObject({ stdout: "off\n", stderr: expect.stringContaining("[heartbeat] enabled = true") });
});

test("heartbeat wake and history request all pages and sanitize their output", async () => {
  const woken = await ran(["wake"], { wake: { ...wake, outcome: null, reply: null, repeated: false } });
  const history = await ran(["history"], { wakes: [wake], nextCursor: wake.id }, { wakes: [wake] });
  const json = await ran(["history", "--json"], { wakes: [wake] });

  expect(woken.requests.map(({ route }) => route)).toEqual(["POST /heartbeat/wake"]);
  expect(woken.stdout).toContain("under way");
  expect(history.requests.map(({ route }) => route)).toEqual([
    "GET /heartbeat/wakes",
    `GET /heartbeat/wakes?cursor=${wake.id}`,
  ]);
  expect(history.stdout.trimEnd().split("\n")).toHaveLength(2);
  expect(history.stdout).not.toContain("\u001B");
  expect(JSON.parse(json.stdout)).toEqual(wake);
  expect((await ran(["history"], { wakes: [] })).stderr).toContain("incipit heartbeat wake");
});
