import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { errorOf, startApi, type StartedApi } from "../testing/start-api.ts";
import { FakeConversations, turnId, unknownId } from "../testing/fake-conversations.ts";

interface World extends AsyncDisposable {
  readonly api: StartedApi;
  readonly conversations: FakeConversations;
  readonly path: string;
  newTicket(): Promise<string>;
  /** Like a browser's `EventSource`: only with the ticket. */
  open(
    ticket: string,
    more?: { readonly path?: string; readonly method?: string; readonly lastEventId?: string },
  ): Promise<Response>;
}

async function world(): Promise<World> {
  const conversations = new FakeConversations();
  const api = await startApi({ conversations });
  const path = `/conversations/${conversations.id}/events`;
  return {
    api,
    conversations,
    path,
    newTicket: async () =>
      (await api.client.call(routes.createTicket, { body: { conversationId: conversations.id } })).ticket,
    open: (ticket, { path: other = path, method = "GET", lastEventId } = {}) =>
      fetch(`${api.url}${other}?ticket=${ticket}`, {
        method,
        headers: lastEventId === undefined ? {} : { "last-event-id": lastEventId },
      }),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

async function firstText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  let text = "";
  while (!text.includes("data: ")) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return text;
    text += new TextDecoder().decode(value);
  }
  await reader?.cancel();
  return text;
}

test("a ticket opens its stream within a minute", async () => {
  await using place = await world();
  const [first, second] = [await place.newTicket(), await place.newTicket()];
  expect(first).toMatch(/^incipit_ticket_[\w-]{43}$/);

  await place.api.clock.advance(59_999);
  const opened = await place.open(first);
  await place.api.clock.advance(1);
  const late = await errorOf(place.open(second));

  expect(opened.status).toBe(200);
  expect(opened.headers.get("content-type")).toStartWith("text/event-stream");
  expect(late).toMatchObject({ status: 401, code: "UNAUTHORIZED" });
  expect(late.message).toContain("POST /tickets");
  await opened.body?.cancel();
});

test("a ticket reopens its stream within a minute after each disconnect, from the last event on", async () => {
  await using place = await world();
  const ticket = await place.newTicket();
  for (let seq = 1; seq <= 3; seq += 1) {
    place.conversations.emit({ type: "turn-start", input: "Hi" });
    const response = await place.open(ticket, { lastEventId: String(seq - 1) });
    expect(await firstText(response)).toContain(`id: ${seq}\n`);
    await place.conversations.untilFollowers(0);
    await place.api.clock.advance(59_999);
  }
  await place.api.clock.advance(1);

  expect((await place.open(ticket)).status).toBe(401);
});

test("a ticket stays valid while its stream is open, and a newer stream ends the older", async () => {
  await using place = await world();
  const ticket = await place.newTicket();
  const older = await place.open(ticket);
  await place.conversations.untilFollowers(1);
  await place.api.clock.advance(30_000);
  const reader = older.body?.getReader();
  const olderEnds = (async (): Promise<string> => {
    for (;;) if ((await reader?.read())?.done !== false) return "closed";
  })().catch(() => "cut");

  const newer = await place.open(ticket);
  expect(newer.status).toBe(200);
  expect(await olderEnds).toBe("cut");
  await place.conversations.untilFollowers(1);
  await place.api.clock.advance(50_000);
  place.conversations.emit({ type: "turn-start", input: "Hi" });
  expect(await firstText(newer)).toContain("event: turn-start");
});

test("[attack:tickets-elsewhere] a ticket opens only its own stream", async () => {
  await using place = await world();
  const ticket = await place.newTicket();
  const { id } = place.conversations;
  for (const [method, path] of [
    ["GET", `/conversations/${id}`],
    ["GET", `/conversations/${id}/messages`],
    ["GET", `/conversations/${unknownId}/events`],
    ["GET", `/conversations/${id}/events/`],
    ["HEAD", place.path],
    ["POST", `/conversations/${id}/turns`],
    ["POST", "/tickets"],
    ["POST", "/tokens"],
    ["DELETE", `/conversations/${id}`],
  ] as const)
    expect([method, path, (await place.open(ticket, { method, path })).status]).toEqual([method, path, 401]);
  for (const other of ["", "x", `${ticket}x`, ticket.replace("incipit_ticket_", "")])
    expect((await place.open(other)).status).toBe(401);

  const response = await place.open(ticket);
  expect(response.status).toBe(200);
  await response.body?.cancel();
});

test("a ticket can be retried after an error, and requires an existing conversation", async () => {
  await using place = await world();
  const [ticket, late] = [await place.newTicket(), await place.newTicket()];

  for (const each of [ticket, late]) expect((await place.open(each, { lastEventId: "99" })).status).toBe(400);
  await place.api.clock.advance(59_999);
  const response = await place.open(ticket);
  expect(response.status).toBe(200);
  await response.body?.cancel();
  await place.api.clock.advance(1);
  expect((await place.open(late)).status).toBe(401);
  for (const [conversationId, status] of [
    [unknownId, 404],
    ["nonsense", 400],
  ] as const) {
    const body = JSON.stringify({ conversationId });
    expect((await place.api.fetch("/tickets", { method: "POST", body })).status).toBe(status);
  }
});

test("a token in the header takes precedence over a ticket in the URL", async () => {
  await using place = await world();
  const wrong = { authorization: "Bearer wrong" };

  expect(
    (await place.api.fetch(`${place.path}?ticket=${await place.newTicket()}`, { headers: wrong })).status,
  ).toBe(401);
  const response = await place.api.fetch(`${place.path}?ticket=nonsense`);
  expect(response.status).toBe(200);
  await response.body?.cancel();
});

test("waiting tickets of a caller are limited to a hundred, not counting open streams", async () => {
  await using place = await world();
  const [open, waits] = [await place.newTicket(), await place.newTicket()];
  const response = await place.open(open);
  await place.conversations.untilFollowers(1);
  for (let count = 0; count < 100; count += 1) await place.newTicket();

  expect((await place.open(waits)).status).toBe(401);
  place.conversations.emit({ type: "turn-start", turnId, input: "Hi" });
  expect(await firstText(response)).toContain("event: turn-start");
  await place.conversations.untilFollowers(0);
  const again = await place.open(open);
  expect(again.status).toBe(200);
  await again.body?.cancel();
});
