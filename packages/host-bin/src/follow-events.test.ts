import { turnEventSchema, type ConversationId, type TurnEvent } from "@incipit/schema";
import { numberProblems } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { collect, HostWorld, until } from "./testing/host-world.ts";

function head({ host }: HostWorld, path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${new URL(host.url).host}\r\nAuthorization: Bearer ${host.token}\r\n\r\n`;
}

/** `fetch` limits connections. */
function followRaw(world: HostWorld, id: ConversationId): { readonly socket: Socket; readonly text: () => string } {
  const socket = connect(Number(new URL(world.host.url).port), "127.0.0.1");
  let text = "";
  socket.setEncoding("utf8").on("data", (data: string) => (text += data));
  socket.write(head(world, `/conversations/${id}/events?after=0`));
  return { socket, text: () => text };
}

function eventsIn(text: string): readonly TurnEvent[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => turnEventSchema.parse(JSON.parse(data)));
}

async function getEvents(world: HostWorld, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const authorization = `Bearer ${world.host.token}`;
  return fetch(`${world.host.url}${path}`, { headers: { authorization, ...headers } });
}

test("followEvents rejects a future, foreign, negative or non-numeric Last-Event-ID", async () => {
  await using world = await HostWorld.start();
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

test("followEvents prefers the header over the query, as EventSource requires", async () => {
  await using world = await HostWorld.start();
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

test("followEvents serves 1,000 concurrent followers and ignores disconnections", async () => {
  await using world = await HostWorld.start();
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

test("followEvents leaves a connection reusable after its stream has ended", async () => {
  await using world = await HostWorld.start();
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
