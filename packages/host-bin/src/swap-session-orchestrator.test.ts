import { defineExtension, type Extension } from "@incipit/kernel";
import type { Conversation, ConversationId, TurnEvent } from "@incipit/schema";
import { conversationsHandle, toolsPoint } from "@incipit/service-contract";
import sessionOrchestrator from "@incipit/session-orchestrator";
import { numberProblems } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { brokenVersion, collect, HostWorld, prefixOf, until, type CollectedEvents } from "./testing/host-world.ts";

const id = "session-orchestrator";
const gated = { kind: "text", chunks: ["one ", "two"], gate: true } as const;

interface GatedTool {
  readonly extension: Extension;
  readonly signal: AbortSignal | undefined;
  answer(text: string): void;
}

function gatedTool(approval: "allow" | "ask" = "allow"): GatedTool {
  const answered = Promise.withResolvers<string>();
  let signal: AbortSignal | undefined;
  return {
    get signal() {
      return signal;
    },
    answer: (text) => answered.resolve(text),
    extension: defineExtension(
      { id: "acme.gated", version: "1.0.0", api: "^1", contributes: ["tools@1"] },
      (host) =>
        host.contribute(toolsPoint, {
          name: "wait",
          description: "Answers when the test says so",
          inputSchema: { type: "object", properties: {} },
          approval,
          execute: (_, context) => {
            ({ signal } = context);
            return answered.promise;
          },
        }),
    ),
  };
}

function releaseAll({ model }: HostWorld): void {
  for (let count = 0; count < 100; count += 1) model.release();
}

async function startTurn(
  world: HostWorld,
  conversation: ConversationId,
  input = "first",
): Promise<CollectedEvents> {
  const { client, model } = world;
  const count = model.requests.length;
  const turn = collect(client.sendTurn(conversation, { input }));
  await model.waitForRequests(count + 1);
  return turn;
}

async function queueTurn(
  { client }: HostWorld,
  conversation: ConversationId,
  input: string,
): Promise<CollectedEvents> {
  const turn = collect(client.sendTurn(conversation, { input }));
  await turn.has("turn-queue");
  return turn;
}

async function talkedConversation(
  world: HostWorld,
): Promise<{ readonly conversation: ConversationId; readonly follower: CollectedEvents }> {
  const conversation = await world.createConversation();
  await (
    await startTurn(world, conversation, "before")
  ).ended;
  return { conversation, follower: collect(world.client.followEvents(conversation, { afterSeq: 0 })) };
}

function lastOf({ events }: CollectedEvents): TurnEvent | undefined {
  return events.at(-1);
}

async function statuses({ client }: HostWorld): Promise<ReadonlyMap<ConversationId, Conversation["status"]>> {
  const { conversations } = await client.call(routes.listConversations, { query: { limit: 100 } });
  return new Map(conversations.map((conversation) => [conversation.id, conversation.status]));
}

async function allEvents(world: HostWorld, conversation: ConversationId): Promise<readonly TurnEvent[]> {
  const { lastSeq } = await world.getConversation(conversation);
  const events: TurnEvent[] = [];
  for await (const event of world.client.followEvents(conversation, { afterSeq: 0 })) {
    events.push(event);
    if (event.seq === lastSeq) break;
  }
  return events;
}

function brokenOnceStarted(): Extension {
  return {
    manifest: { ...sessionOrchestrator.manifest, version: "9.9.9" },
    async activate(host) {
      await sessionOrchestrator.activate(host);
      throw new Error("This version does not start");
    },
  };
}

test("[swap-loses-nothing] a swap of session-orchestrator completes running turns, queued messages, tools and compactions", async () => {
  const tool = gatedTool();
  await using world = await HostWorld.start({ extensions: () => [tool.extension] });
  const { host, client, model } = world;
  const compacting = await talkedConversation(world);
  const idle = await talkedConversation(world);
  const talking = await world.createConversation();
  const calling = await world.createConversation();
  const stopped = await world.createConversation();
  const toolCalls = { kind: "tool-calls", calls: [{ id: "c1", name: "wait", arguments: "{}" }] } as const;
  model.enqueue(toolCalls, gated, gated, gated);
  const called = await startTurn(world, calling);
  await until(() => tool.signal !== undefined);
  const toBeStopped = await startTurn(world, stopped);
  const compaction = client.call(routes.compactConversation, { params: { id: compacting.conversation } });
  await model.waitForRequests(5);
  const talk = [await startTurn(world, talking, "talk 1")];
  talk.push(await queueTurn(world, talking, "talk 2"), await queueTurn(world, talking, "talk 3"));
  const follower = collect(client.followEvents(talking, { afterSeq: 0 }));
  await follower.has("turn-queue");

  const swap = host.kernel.swap(id);
  await until(() => world.health(id).generation === 2);
  talk.push(await queueTurn(world, talking, "talk 4"));
  const lateFollower = collect(client.followEvents(talking, { afterSeq: 0 }));
  const whileDraining = await statuses(world);
  const talkingMeanwhile = await world.getConversation(talking);
  const { stopped: wasStopped } = await client.call(routes.stopConversation, { params: { id: stopped } });
  const other = await startTurn(world, await world.createConversation());
  const toIdle = await startTurn(world, idle.conversation, "after");
  await Promise.all([other.ended, toIdle.ended, toBeStopped.ended]);
  const { draining } = world.health(id);
  tool.answer("the tool's answer");
  releaseAll(world);
  const { conversation: compacted } = await compaction;
  await Promise.all([called.ended, ...talk.map(({ ended }) => ended)]);
  const report = await swap;
  const afterCompaction = await startTurn(world, compacting.conversation, "after");
  await afterCompaction.ended;
  const lastSeq = lastOf(talk.at(-1) ?? follower)?.seq ?? 0;
  await until(() => [follower, lateFollower].every(({ events }) => events.length >= lastSeq));

  expect(whileDraining).toEqual(
    new Map([
      [stopped, "running"],
      [calling, "running"],
      [talking, "running"],
      [idle.conversation, "idle"],
      [compacting.conversation, "compacting"],
    ]),
  );
  expect(talkingMeanwhile.status).toBe("running");
  expect(wasStopped).toBe(true);
  expect(lastOf(toBeStopped)).toMatchObject({ type: "turn-end", status: "cancelled" });
  expect(draining?.generation).toBe(1);
  for (const turn of [other, toIdle, called, afterCompaction, ...talk])
    expect(lastOf(turn)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(called.events).toContainEqual(
    expect.objectContaining({ type: "tool-call-end", output: "the tool's answer" }),
  );
  expect(compacted.epoch).toBe(2);
  expect(report).toMatchObject({ outcome: "swapped", cut: 0 });
  expect(world.health(id).draining).toBeUndefined();
  const texts = await world.texts(talking);
  expect(texts.filter((_, index) => index % 2 === 0)).toEqual(["talk 1", "talk 2", "talk 3", "talk 4"]);
  const events = await allEvents(world, talking);
  expect(numberProblems(events)).toEqual([]);
  expect(follower.events).toEqual([...events]);
  expect(lateFollower.events).toEqual([...events]);
  expect(idle.follower.events).toEqual([...(await allEvents(world, idle.conversation))]);
  const bodies = model.requests.map(({ body }) => body).filter((body) => body.includes("talk 1"));
  expect(bodies).toHaveLength(4);
  for (const [index, body] of bodies.slice(1).entries()) expect(body).toStartWith(prefixOf(bodies[index]));
}, 300_000);

test("[swap-loses-nothing] a swapped session-orchestrator shows questions of its predecessor and forwards the answers", async () => {
  const tool = gatedTool("ask");
  await using world = await HostWorld.start({ extensions: () => [tool.extension] });
  const { host, client, model } = world;
  model.enqueue({ kind: "tool-calls", calls: [{ id: "c1", name: "wait", arguments: "{}" }] });
  const conversation = await world.createConversation();
  const turn = await startTurn(world, conversation);
  await turn.has("approval-request");

  const swap = host.kernel.swap(id);
  await until(() => world.health(id).generation === 2);
  const [approval] = (await world.getConversation(conversation)).approvals;
  const { results } = await client.call(routes.searchConversations, { query: { q: "first" } });
  const params = { id: conversation, approvalId: approval?.approvalId ?? "" };
  tool.answer("the tool's answer");
  await client.call(routes.answerApproval, { params, body: { decision: "allow" } });
  await turn.ended;

  expect(await swap).toMatchObject({ outcome: "swapped", cut: 0 });
  expect(results.map((result) => result.conversation)).toMatchObject([
    { id: conversation, status: "running", approvals: [{ approvalId: params.approvalId }] },
  ]);
  expect(turn.events).toContainEqual(expect.objectContaining({ type: "approval-end", decision: "allow" }));
  expect(turn.events).toContainEqual(
    expect.objectContaining({ type: "tool-call-end", output: "the tool's answer" }),
  );
  expect(lastOf(turn)).toMatchObject({ type: "turn-end", status: "completed" });
});

test("[swap-loses-nothing] a swap of session-orchestrator completes a turn without followers", async () => {
  await using world = await HostWorld.start();
  const { host, model } = world;
  model.enqueue(gated);
  const conversation = await world.createConversation();
  await host.kernel.service(conversationsHandle)?.send(conversation, { input: "first" });
  await model.waitForRequests(1);

  const swap = host.kernel.swap(id);
  await until(() => world.health(id).generation === 2);
  releaseAll(world);
  const report = await swap;

  expect(report).toMatchObject({ outcome: "swapped", drained: 1, cut: 0 });
  expect((await allEvents(world, conversation)).at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect((await world.getConversation(conversation)).status).toBe("idle");
});

test("[swap-loses-nothing] followers of a conversation deleted during a swap of session-orchestrator end", async () => {
  await using world = await HostWorld.start();
  const { host, client, model } = world;
  model.enqueue(gated);
  const conversation = await world.createConversation();
  await startTurn(world, conversation);

  const swap = host.kernel.swap(id);
  await until(() => world.health(id).generation === 2);
  const follower = collect(client.followEvents(conversation, { afterSeq: 0 }));
  await follower.has("turn-start");
  await client.call(routes.deleteConversation, { params: { id: conversation } });

  expect((await follower.ended).at(-1)).toMatchObject({ type: "turn-end", status: "cancelled" });
  expect((await swap).outcome).toBe("swapped");
  expect(world.errors()).toEqual([]);
});

test("[swap-loses-nothing] a session-orchestrator past its deadline interrupts its turns, and its successor runs the queue", async () => {
  const tool = gatedTool();
  await using world = await HostWorld.start({
    extensions: () => [tool.extension],
    timeouts: { drainTimeoutMs: 300 },
  });
  const { host, client, model } = world;
  const compacting = await talkedConversation(world);
  const talking = await world.createConversation();
  const calling = await world.createConversation();
  const toolCalls = { kind: "tool-calls", calls: [{ id: "c1", name: "wait", arguments: "{}" }] } as const;
  model.enqueue(toolCalls, gated, gated);
  const called = await startTurn(world, calling);
  await until(() => tool.signal !== undefined);
  const compaction = client
    .call(routes.compactConversation, { params: { id: compacting.conversation } })
    .catch((error: unknown) => error);
  await model.waitForRequests(3);
  const running = await startTurn(world, talking, "talk 1");
  const queued = [await queueTurn(world, talking, "talk 2"), await queueTurn(world, talking, "talk 3")];
  const follower = collect(client.followEvents(talking, { afterSeq: 0 }));
  await follower.has("turn-queue");

  const swap = host.kernel.swap(id);
  await until(() => world.health(id).generation === 2);
  const lateFollower = collect(client.followEvents(talking, { afterSeq: 0 }));
  await lateFollower.has("turn-queue");
  const report = await swap;
  await Promise.all([running.ended, called.ended, ...queued.map(({ ended }) => ended)]);
  const next = await startTurn(world, talking, "talk 4");
  const nextCalled = await startTurn(world, calling, "after");
  const nextCompacting = await startTurn(world, compacting.conversation, "after");
  await Promise.all([next.ended, nextCalled.ended, nextCompacting.ended]);
  const lastSeq = lastOf(next)?.seq ?? 0;
  await until(() => [follower, lateFollower].every((collected) => collected.events.length >= lastSeq));

  expect(report.outcome).toBe("swapped");
  expect(report.cut).toBeGreaterThan(0);
  expect(lastOf(running)).toMatchObject({ type: "turn-end", status: "interrupted" });
  expect(lastOf(called)).toMatchObject({ type: "turn-end", status: "interrupted" });
  expect(tool.signal?.aborted).toBe(true);
  for (const turn of [...queued, next, nextCalled, nextCompacting])
    expect(lastOf(turn)).toMatchObject({ type: "turn-end", status: "completed" });
  const events = await allEvents(world, talking);
  expect(numberProblems(events)).toEqual([]);
  expect(follower.events).toEqual([...events]);
  expect(lateFollower.events).toEqual([...events]);
  const ends = events.flatMap((event) => (event.type === "turn-end" ? [event.status] : []));
  expect(ends).toEqual(["interrupted", "completed", "completed", "completed"]);
  expect((await world.texts(talking)).filter((text) => text.startsWith("talk"))).toEqual([
    "talk 1",
    "talk 2",
    "talk 3",
    "talk 4",
  ]);
  expect(await compaction).toMatchObject({ code: "SERVICE_UNAVAILABLE", status: 503 });
  expect((await world.getConversation(compacting.conversation)).epoch).toBe(1);
  expect(await world.texts(compacting.conversation)).toHaveLength(4);
});

for (const [name, version] of [
  ["does not start", brokenVersion(sessionOrchestrator)],
  ["fails once it has started", brokenOnceStarted()],
] as const) {
  test(`[swap-loses-nothing] session-orchestrator whose new version ${name} continues running and queued work`, async () => {
    await using world = await HostWorld.start();
    const { host, client, model } = world;
    model.enqueue(gated);
    const conversation = await world.createConversation();
    const running = await startTurn(world, conversation);
    const queued = await queueTurn(world, conversation, "second");
    const follower = collect(client.followEvents(conversation, { afterSeq: 0 }));
    await follower.has("turn-queue");

    const report = await host.kernel.swap(id, { extension: version });
    releaseAll(world);
    await Promise.all([running.ended, queued.ended]);
    await until(() => follower.events.length >= (lastOf(queued)?.seq ?? 0));

    expect(report).toMatchObject({ outcome: "kept-old", cut: 0 });
    expect(world.health(id)).toMatchObject({ phase: "active", generation: 1 });
    const events = await allEvents(world, conversation);
    expect(follower.events).toEqual([...events]);
    expect(events.flatMap((event) => (event.type === "turn-end" ? [event.status] : []))).toEqual([
      "completed",
      "completed",
    ]);
    expect(model.requests).toHaveLength(2);
  });
}

test("[swap-loses-nothing] closing the host right after a swap of session-orchestrator interrupts running turns", async () => {
  await using world = await HostWorld.start();
  const { host, model } = world;
  model.enqueue(gated);
  const conversation = await world.createConversation();
  const running = await startTurn(world, conversation);
  const queued = await queueTurn(world, conversation, "second");

  const swap = host.kernel.swap(id);
  await until(() => world.health(id).generation === 2);
  await host.close();
  const report = await swap;

  expect(report.outcome).toBe("swapped");
  expect(world.errors()).toEqual([]);
  expect((await running.ended).at(-1)).toMatchObject({ type: "turn-end", status: "interrupted" });
  expect((await queued.ended).map(({ type }) => type)).toEqual(["turn-queue"]);
});
