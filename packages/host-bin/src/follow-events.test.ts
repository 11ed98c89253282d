import { turnEventSchema, type ConversationId, type TurnEvent } from "@incipit/schema";
import { numberProblems } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { collect, createSwapWorld, until, type SwapWorld } from "./testing/swap-world.ts";

function head({ host }: SwapWorld, path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${new URL(host.url).host}\r\nAuthorization: Bearer ${host.token}\r\n\r\n`;
}

/** A follower without a limit of its own on connections, as `fetch` has one. */
function followRaw(world: SwapWorld, id: ConversationId): { readonly socket: Socket; readonly text: () => string } {
  const socket = connect(Number(new URL(world.host.url).port), "127.0.0.1");
  let text = "";
  socket.setEncoding("utf8").on("data", (data: string) => (text += data));
  socket.write(head(world, `/conversations/${id}/events?after=0`));
  return { socket, text: () => text };
}

function eventsIn(text: string): readonly TurnEvent[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => turnEventSchema.parse(JSON.parse(data)));
}

async function getEvents(world: SwapWorld, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const authorization = `Bearer ${world.host.token}`;
  return fetch(`${world.host.url}${path}`, { headers: { authorization, ...headers } });
}

test("followEvents refuses a Last-Event-ID from the future, of a longer conversation, negative, or that is no number", async () => {
  await using world = await createSwapWorld();
  const short = await world.createConversation();
  const long = await world.createConversation();
  await collect(world.client.sendTurn(short, { input: "one" })).ended;
  for (const input of ["one", "two"]) await collect(world.client.sendTurn(long, { input })).ended;
  const { lastSeq } = await world.getConversation(long);
  const path = `/conversations/${short}/events`;

  for (const given of [String(lastSeq), "999999999", "-1", "1.5", "0x1", "NaN", "١"]) {
    const byHeader = /^[ -~]*$/.test(given) ? await getEvents(world, path, { "last-event-id": given }) : undefined;
    for (const response of [byHeader, await getEvents(world, `${path}?after=${encodeURIComponent(given)}`)]) {
      if (response === undefined) continue;
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: "INVALID_EVENT_ID" } });
    }
  }
});

test("followEvents goes by the header when header and query are there, as a browser's EventSource needs it", async () => {
  await using world = await createSwapWorld();
  const id = await world.createConversation();
  await collect(world.client.sendTurn(id, { input: "one" })).ended;
  const { lastSeq } = await world.getConversation(id);

  const response = await getEvents(world, `/conversations/${id}/events?after=0`, {
    "last-event-id": `${lastSeq - 1}`,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("turn-end")) text += (await reader?.read())?.value ?? "";
  await reader?.cancel();

  expect(eventsIn(text).map(({ seq, type }) => [seq, type])).toEqual([[lastSeq, "turn-end"]]);
});

test("followEvents gives every event to 1,000 followers at once, and does not notice those that leave in the middle of one", async () => {
  await using world = await createSwapWorld();
  const { model, client } = world;
  const id = await world.createConversation();
  const chunks = Array.from({ length: 20 }, (_, index) => `word ${index} `);
  model.enqueue({ kind: "text", chunks, gate: true });
  const followers = Array.from({ length: 1_000 }, () => followRaw(world, id));
  const leaving = Array.from({ length: 50 }, () => followRaw(world, id));
  const turn = collect(client.sendTurn(id, { input: "go" }));
  await turn.has("text-delta");
  for (const { socket } of leaving) socket.destroy();
  await until(() => {
    model.release();
    return turn.events.some(({ type }) => type === "turn-end");
  });
  const events = await turn.ended;
  await until(() => followers.every(({ text }) => text().includes('"type":"turn-end"')));

  expect(numberProblems(events)).toEqual([]);
  for (const { text } of followers) {
    const seen = eventsIn(text());
    expect(Bun.deepEquals(seen, events)).toBe(true);
  }
  for (const { socket } of followers) socket.destroy();
  await until(() => world.health("transport-http").callsInFlight === 0);
  expect(world.errors()).toEqual([]);
});

test("followEvents leaves a connection that can be used again once a stream on it has ended", async () => {
  await using world = await createSwapWorld();
  const id = await world.createConversation();
  const { host } = world;
  const socket = connect(Number(new URL(host.url).port), "127.0.0.1");
  let text = "";
  socket.setEncoding("utf8").on("data", (data: string) => (text += data));
  const body = JSON.stringify({ input: "one" });
  const post = head(world, `/conversations/${id}/turns`).replace("GET", "POST").trimEnd();
  socket.write(`${post}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await until(() => text.endsWith("\r\n0\r\n\r\n"));
  expect(text).toContain("event: turn-end");

  text = "";
  socket.write(head(world, `/conversations/${id}`));
  await until(() => text.includes('"lastSeq"'));

  expect(text).toStartWith("HTTP/1.1 200");
  socket.destroy();
});
