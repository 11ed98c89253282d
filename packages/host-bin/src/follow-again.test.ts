import type { ConversationId, TurnEvent } from "@incipit/schema";
import { ApiClientError, routes, type Client } from "@incipit/transport-contract";
import { mergeDeltas, numberProblems, sampleCount, type ModelReply } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { HostWorld } from "./testing/host-world.ts";

/** 10 × 10 × 10 runs: Bun's fetch has at most 256 connections at a time. */
const waves = sampleCount(10);
const conversationsInWave = 10;
const followersOfEach = 10;
const turnsOfEach = 4;
const lastInput = "This is the last message";

/** mulberry32 */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function randomReply(random: () => number): ModelReply {
  const kind = random();
  if (kind < 0.15) return { kind: "tool-calls", calls: [{ id: "1", name: "nobody", arguments: ["{", "}"] }] };
  if (kind < 0.25) return { kind: "error", status: 503, body: "{}", headers: { "retry-after": "0" } };
  const chunks = Array.from({ length: Math.floor(random() * 12) }, (_, index) =>
    index % 5 === 4 ? "🙂é" : `w${index} `,
  );
  if (kind < 0.35) return { kind: "cut", chunks };
  return { kind: "text", chunks, gate: true, ...(random() < 0.3 ? { reasoning: "Hm, so" } : {}) };
}

async function follow(
  client: Client,
  id: ConversationId,
  nextStay: () => Promise<number>,
): Promise<readonly TurnEvent[]> {
  const seen: TurnEvent[] = [];
  let lastTurn: string | undefined;
  for (;;) {
    const leave = new AbortController();
    let left = await nextStay();
    try {
      for await (const event of client.followEvents(id, {
        afterSeq: seen.at(-1)?.seq ?? 0,
        signal: leave.signal,
      })) {
        seen.push(event);
        if (event.type === "turn-start" && event.input === lastInput) lastTurn = event.turnId;
        if (event.type === "turn-end" && event.turnId === lastTurn) return seen;
        left -= 1;
        // Leaves between events or aborts the connection, which loses events in flight.
        if (left === 0 && event.seq % 2 === 0) break;
        if (left === 0) leave.abort();
      }
    } catch (error) {
      if (!leave.signal.aborted) throw error;
    }
  }
}

async function converse({ client }: HostWorld, id: ConversationId, random: () => number): Promise<void> {
  for (let count = 0; count < turnsOfEach; count += 1) {
    const isStopped = random() < 0.2;
    for await (const event of client.sendTurn(id, { input: `Message ${count}` }))
      if (isStopped && event.type === "text-delta") await client.call(routes.stopConversation, { params: { id } });
    if (random() > 0.3) continue;
    try {
      await client.call(routes.compactConversation, { params: { id } });
    } catch (error) {
      if (!(error instanceof ApiClientError) || !/^(MODEL_FAILED|NOTHING_TO_COMPACT)$/.test(error.code))
        throw error;
    }
  }
  for await (const _ of client.sendTurn(id, { input: lastInput }));
}

test("a follower that reconnects at random sees the same events as a constant one", async () => {
  const seed = Date.now() % 1_000_000_000;
  const random = createRandom(seed);
  await using world = await HostWorld.start();
  const { client, host, model } = world;
  let isOver = false;
  const replies = (async () => {
    for (; !isOver; await new Promise((resolve) => setImmediate(resolve))) {
      for (let count = 0; count < Math.min(4, model.waitingChunks); count += 1) model.release();
    }
  })();
  let runs = 0;
  let comeBacks = 0;
  let merged = 0;
  for (let wave = 0; wave < waves; wave += 1) {
    model.enqueue(...Array.from({ length: 60 }, () => randomReply(random)));
    const ids = await Promise.all(Array.from({ length: conversationsInWave }, () => world.createConversation()));
    const before = model.requests.length;
    const atRest = Promise.withResolvers<void>();
    const nextStay = async (): Promise<number> => {
      comeBacks += 1;
      if (random() < 0.1) await atRest.promise;
      return 1 + Math.floor(random() * 25);
    };
    const followed = ids.map((id) => ({
      id,
      stayed: follow(client, id, async () => Number.POSITIVE_INFINITY),
      left: Array.from({ length: followersOfEach }, () => follow(client, id, nextStay)),
    }));
    for (const { stayed, left } of followed) Promise.allSettled([stayed, ...left]).catch(() => undefined);
    const talks = Promise.all(ids.map((id) => converse(world, id, random)));
    for (const [index, extension] of ["transport-http", "session-orchestrator"].entries()) {
      await model.waitForRequests(before + conversationsInWave * (index + 1));
      await host.kernel.swap(extension);
    }
    await talks;
    await host.kernel.swap("session-orchestrator"); // The new generation has no events in memory.
    atRest.resolve();
    for (const { id, stayed, left } of followed) {
      const whole = await stayed;
      const where = `seed ${seed}, conversation ${id}`;
      expect(numberProblems(whole), where).toEqual([]);
      expect(partProblems(whole), where).toEqual([]);
      for (const seen of await Promise.all(left)) {
        expect(numberProblems(seen), where).toEqual([]);
        expect(mergeDeltas(seen), where).toEqual(mergeDeltas(whole));
        merged += seen.filter((event) => "fromSeq" in event).length;
        runs += 1;
      }
    }
  }
  isOver = true;
  await replies;

  expect(runs).toBe(waves * conversationsInWave * followersOfEach);
  expect(comeBacks).toBeGreaterThan(waves * 200);
  expect(merged).toBeGreaterThan(waves * 10);
  expect(world.errors()).toEqual([]);
  process.stdout.write(`seed ${seed}: ${runs} followers came ${comeBacks} times, ${merged} merged deltas\n`);
}, 1_800_000);

function partProblems(events: readonly TurnEvent[]): readonly string[] {
  const texts = new Map<string, string>();
  return events.flatMap((event) => {
    if (!("partId" in event)) return [];
    const key = `${event.stepId} ${event.partId}`;
    if (event.type.endsWith("-start")) texts.set(key, "");
    else if (event.type.endsWith("-delta")) texts.set(key, `${texts.get(key) ?? "no start "}${event.text}`);
    else if (texts.get(key) !== event.text) return [`"${texts.get(key)}" ends as "${event.text}"`];
    return [];
  });
}
