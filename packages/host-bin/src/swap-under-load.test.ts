import type { Extension, SwapReport } from "@incipit/kernel";
import { turnEventSchema, type ConversationId, type TurnEvent } from "@incipit/schema";
import { sampleCount } from "@incipit/testkit";
import { createClient, routes, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { CORE_EXTENSIONS } from "./core-extensions.ts";
import { HostWorld } from "./testing/host-world.ts";

const conversationCount = 100;
const swapsOfEach = sampleCount(100);
const requestsBetween = 1;

/** This test is about lost work, not about the speed of the machine. */
const timeouts = {
  activateTimeoutMs: 600_000,
  releaseTimeoutMs: 600_000,
  drainTimeoutMs: 600_000,
  holdTimeoutMs: 600_000,
};

async function* events(response: Response): AsyncGenerator<TurnEvent> {
  if (!response.ok || response.body === null) throw new Error(`${response.status}: ${await response.text()}`);
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of response.body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines)
      if (line.startsWith("data: ")) yield turnEventSchema.parse(JSON.parse(line.slice("data: ".length)));
  }
}

/** A merged delta has a range. */
function numbersOf(event: TurnEvent): readonly number[] {
  const first = "fromSeq" in event ? (event.fromSeq ?? event.seq) : event.seq;
  return Array.from({ length: event.seq - first + 1 }, (_, index) => first + index);
}

async function converse(
  { url, token }: HostWorld["host"],
  id: ConversationId,
  isOver: () => boolean,
): Promise<{ readonly inputs: readonly string[]; readonly seqs: readonly number[] }> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const inputs: string[] = [];
  const seqs: number[] = [];
  do {
    const input = `input ${inputs.length} of ${id}`;
    const body = JSON.stringify({ input });
    const response = await fetch(`${url}/conversations/${id}/turns`, { method: "POST", headers, body });
    inputs.push(input);
    let last: TurnEvent | undefined;
    for await (const event of events(response)) {
      seqs.push(...numbersOf(event));
      last = event;
    }
    expect(last).toMatchObject({ type: "turn-end", status: "completed" });
  } while (!isOver());
  return { inputs, seqs };
}

async function follow(
  { url, token }: HostWorld["host"],
  id: ConversationId,
  lastSeq: Promise<number>,
): Promise<readonly number[]> {
  const seqs: number[] = [];
  const leave = new AbortController();
  let target: number | undefined;
  const leaveAtEnd = (): void => {
    if (seqs.at(-1) === target) leave.abort();
  };
  void lastSeq.then((last) => {
    target = last;
    leaveAtEnd();
  });
  while (!leave.signal.aborted) {
    const headers = { authorization: `Bearer ${token}`, "last-event-id": String(seqs.at(-1) ?? 0) };
    try {
      const response = await fetch(`${url}/conversations/${id}/events`, { headers, signal: leave.signal });
      for await (const event of events(response)) {
        seqs.push(...numbersOf(event));
        leaveAtEnd();
      }
    } catch (error) {
      if (!leave.signal.aborted) throw error;
    }
  }
  return seqs;
}

function broken({ manifest }: Extension): Extension {
  return {
    manifest,
    activate: () => {
      throw new Error("This version does not start");
    },
  };
}

async function swapAll(
  { host: { kernel }, model }: HostWorld,
  failsAt: (count: number) => boolean,
): Promise<readonly SwapReport[]> {
  const active = new Set(kernel.list().flatMap(({ id, phase }) => (phase === "active" ? [id] : [])));
  const running = CORE_EXTENSIONS.filter(({ manifest }) => active.has(manifest.id));
  const perExtension = running.map(async (extension) => {
    const reports: SwapReport[] = [];
    for (let count = 1; count <= swapsOfEach; count += 1) {
      const next = failsAt(count) ? { extension: broken(extension) } : undefined;
      reports.push(await kernel.swap(extension.manifest.id, next));
      await model.waitForRequests(model.requests.length + requestsBetween);
    }
    return reports;
  });
  return (await Promise.all(perExtension)).flat();
}

async function storedInputs(client: Client, id: ConversationId): Promise<readonly string[]> {
  const inputs: string[] = [];
  for (let cursor: string | undefined; ;) {
    const query = { limit: 100, ...(cursor === undefined ? {} : { cursor }) };
    const page = await client.call(routes.listMessages, { params: { id }, query });
    for (const { role, parts } of page.messages)
      if (role === "user") inputs.push(...parts.flatMap((part) => (part.type === "text" ? [part.text] : [])));
    cursor = page.nextCursor;
    if (cursor === undefined) return inputs;
  }
}

function prefixOf(body: string): string {
  if (!body.endsWith("]}")) throw new Error(`The messages are not at the end of the body: …${body.slice(-80)}`);
  return body.slice(0, -2);
}

for (const [name, failsAt, outcomes] of [
  ["each version starts", () => false, ["swapped"]],
  [
    "every third version does not start",
    (count: number) => count % 3 === 0,
    ["swapped", "kept-old", "restored-old"],
  ],
] as const) {
  test(`[swap-loses-nothing] ${conversationCount} conversations continue while every extension is swapped ${swapsOfEach} times, and ${name}`, async () => {
    await using world = await HostWorld.start({ timeouts });
    const { host, model } = world;
    const client = createClient(host);
    const ids = await Promise.all(
      Array.from({ length: conversationCount }, async () => {
        const { conversation } = await client.call(routes.createConversation, { body: {} });
        return conversation.id;
      }),
    );
    const chunks = Array.from({ length: 6 }, (_, index) => `word ${index} `);
    model.enqueue(...Array.from({ length: 20_000 }, () => ({ kind: "text", chunks, gate: true }) as const));
    let isOver = false;
    let isAnswered = false;
    // Releases a few chunks at a time, so that most conversations are always mid-reply.
    const streaming = (async () => {
      for (; !isAnswered; await new Promise<void>((resolve) => setImmediate(resolve)))
        for (let count = 0; count < 8; count += 1) model.release();
    })();
    const talks = ids.map((id) => converse(host, id, () => isOver));
    const ends = ids.map(() => Promise.withResolvers<number>());
    const followers = ids.map((id, index) => follow(host, id, ends[index]?.promise ?? Promise.resolve(0)));

    const reports = await swapAll(world, failsAt);
    isOver = true;
    const talked = await Promise.all(talks);
    isAnswered = true;
    await streaming;

    expect(reports.filter(({ cut }) => cut > 0)).toEqual([]);
    expect(new Set(reports.map(({ outcome }) => outcome))).toEqual(new Set(outcomes));
    for (const [index, id] of ids.entries()) {
      const { inputs = [], seqs = [] } = talked[index] ?? {};
      const { conversation } = await client.call(routes.getConversation, { params: { id } });
      const all = Array.from({ length: conversation.lastSeq }, (_, at) => at + 1);
      expect(seqs).toEqual(all);
      ends[index]?.resolve(conversation.lastSeq);
      expect(await followers[index]).toEqual(all);
      expect(await storedInputs(client, id)).toEqual(inputs);
      const requests = model.requests.map(({ body }) => body).filter((body) => body.includes(`of ${id}`));
      expect(requests).toHaveLength(inputs.length);
      for (const [at, body] of requests.slice(1).entries()) expect(body).toStartWith(prefixOf(requests[at] ?? ""));
    }
  }, 1_800_000);
}
