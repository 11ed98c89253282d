import type { ConversationId, Schedule, ScheduleRun } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { TokenWorld } from "../tokens/token-world.ts";

const protocol = "## Gateway: Scheduled Task Events";
const message = "[CRON:tick] Look at the clock.";

async function runsAtRest(
  client: Client,
  { id, least }: { readonly id: string; readonly least: number },
): Promise<readonly ScheduleRun[]> {
  for (;;) {
    const { runs } = await client.call(routes.listScheduleRuns, { params: { id } });
    if (runs.length >= least && runs.every(({ endedAt }) => endedAt !== null)) return runs;
  }
}

async function scheduleOf(client: Client, id: string): Promise<Schedule> {
  return (await client.call(routes.getSchedule, { params: { id } })).schedule;
}

async function say(client: Client, id: ConversationId): Promise<void> {
  await Array.fromAsync(client.sendTurn(id, { input: "Count" }));
}

test("a schedule created over HTTP runs on time, and other conversations keep their prefix", async () => {
  await using world = await TokenWorld.start();
  const { client, model } = world;
  await client.call(routes.setSystemPrompt, { body: { template: "You count." } });
  const { conversation: before } = await client.call(routes.createConversation, { body: {} });
  await say(client, before.id);
  model.answer = (body) =>
    body.includes("[CRON:") ? { kind: "text", chunks: ["All is well\n", "HEARTBEAT_OK"] } : undefined;

  await client.call(routes.createSchedule, { body: { id: "tick", task: "Look at the clock.", every: "1s" } });
  await model.waitFor(({ requests }) => requests.some(({ body }) => body.includes(message)));
  await client.call(routes.updateSchedule, { params: { id: "tick" }, body: { paused: true } });
  const byItself = await runsAtRest(client, { id: "tick", least: 1 });
  const { conversation: after } = await client.call(routes.createConversation, { body: {} });
  await say(client, after.id);
  await say(client, before.id);
  const asked = (await client.call(routes.runSchedule, { params: { id: "tick" } })).run;
  const runs = await runsAtRest(client, { id: "tick", least: byItself.length + 1 });

  const { conversationId, paused, nextAt, lastRun, tokensToday } = await scheduleOf(client, "tick");
  expect({ paused, nextAt, asked: asked.status }).toEqual({ paused: true, nextAt: null, asked: "waiting" });
  expect(runs.slice(1)).toEqual([...byItself]);
  expect(runs[0]).toEqual(lastRun ?? undefined);
  expect(runs[0]).toMatchObject({ id: asked.id, occurrences: [{ asked: true, scheduleId: "tick" }] });
  expect(byItself.flatMap(({ occurrences }) => occurrences.map((occurrence) => occurrence.asked))).not.toContain(
    true,
  );
  for (const run of runs)
    expect(run).toMatchObject({
      status: "completed",
      conversationId,
      turnId: expect.any(String),
      attempts: 1,
      tokens: 25,
      quiet: true,
      reply: "All is well\nHEARTBEAT_OK",
    });
  expect(tokensToday).toBeLessThanOrEqual(25 * runs.length); // Exact except at midnight.
  const { messages } = await client.call(routes.listMessages, { params: { id: conversationId ?? "" } });
  const said = messages.filter(({ role }) => role === "user").flatMap(({ parts }) => parts);
  expect(said).toEqual(runs.map(() => ({ type: "text", text: message })));

  const bodies = model.requests.map(({ body }) => body);
  expect(bodies.filter((body) => body.includes(message)).every((body) => body.includes(protocol))).toBe(true);
  const [first, ofAfter, again] = bodies.filter((body) => !body.includes(message));
  expect([first, ofAfter, again].map((body) => body?.includes(protocol))).toEqual([false, true, false]);
  const start = first?.slice(0, first.lastIndexOf("Count") + "Count".length) ?? "none";
  expect(start).toContain("You count.");
  expect(again?.startsWith(start)).toBe(true);
}, 300_000);
