import { approvalIdSchema, type TurnEvent } from "@incipit/schema";
import { ApiClientError, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { connect } from "node:net";
import { FakeConversations, turnId, unknownId } from "../testing/fake-conversations.ts";
import { errorOf, startApi, token } from "../testing/start-api.ts";

function reading(response: Response): { next(): Promise<string | undefined> } {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  return { next: async () => (await reader?.read())?.value };
}

function written(event: TurnEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

test("createTurn streams events immediately, and closes after turn-end", async () => {
  const conversations = new FakeConversations();
  await using api = await startApi({ conversations });

  const response = await api.fetch(`/conversations/${conversations.id}/turns`, {
    method: "POST",
    body: '{"input":"Hello"}',
  });
  const stream = reading(response);
  let text = "";
  while (!text.includes("turn-start")) text += await stream.next();
  expect(text).not.toContain("turn-end");
  const end = conversations.emit({ type: "turn-end", status: "completed" });

  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(text).toStartWith(": keep open\n\nid: 1\nevent: turn-start\ndata: {");
  expect(await stream.next()).toBe(written(end));
  expect(await stream.next()).toBeUndefined();
  await conversations.untilFollowers(0);
});

test("createTurn with Prefer: respond-async returns 202 without a stream", async () => {
  const conversations = new FakeConversations();
  await using api = await startApi({ conversations });

  for (const prefer of ["respond-async", "wait=5, Respond-Async", "respond-async; x=1"]) {
    const response = await api.fetch(`/conversations/${conversations.id}/turns`, {
      method: "POST",
      body: '{"input":"Hello"}',
      headers: { prefer },
    });
    expect(response.status).toBe(202);
    expect(response.headers.get("preference-applied")).toBe("respond-async");
    expect(await response.json()).toEqual({ turnId });
  }
  expect(conversations.calls.map(([method]) => method)).toEqual(["send", "send", "send"]);
});

test("createTurn rejects an invalid turn, and an unknown conversation before reading the body", async () => {
  const conversations = new FakeConversations();
  await using api = await startApi({ conversations });
  const post = (id: string, body: string): ReturnType<typeof errorOf> =>
    errorOf(api.fetch(`/conversations/${id}/turns`, { method: "POST", body }));

  for (const body of ["", "{", "{}", '{"input":""}', '{"input":7}', '{"input":[]}', '{"input":"x","extra":1}'])
    expect(await post(conversations.id, body)).toMatchObject({ status: 400, code: "INVALID_REQUEST" });
  expect(await post(unknownId, "{")).toMatchObject({ status: 404, code: "CONVERSATION_UNKNOWN" });
  expect(await post("00000000-0000-4000-8000-000000000000", "{")).toMatchObject({ status: 404 });
  expect(await post("nonsense", "{")).toMatchObject({ status: 400, code: "INVALID_REQUEST" });
  expect(conversations.calls).toEqual([]);
});

test("resumeConversation returns the number of resumed turns", async () => {
  const conversations = new FakeConversations();
  await using api = await startApi({ conversations });

  const answer = await api.client.call(routes.resumeConversation, { params: { id: conversations.id } });

  expect(answer).toEqual({ resumed: 2 });
});

test("followEvents starts after the header's number, else the query's, else with new events", async () => {
  const conversations = new FakeConversations();
  await using api = await startApi({ conversations });
  for (let count = 0; count < 4; count += 1) conversations.emit({ type: "turn-start", input: "x" });

  for (const [query, header, afterSeq] of [
    ["", undefined, 4],
    ["?after=0", undefined, 0],
    ["?after=2", undefined, 2],
    ["?after=2", "3", 3],
    ["?after=nonsense", "4", 4],
  ] as const) {
    const headers = header === undefined ? {} : { "last-event-id": header };
    const response = await api.fetch(`/conversations/${conversations.id}/events${query}`, { headers });
    expect(response.status).toBe(200);
    await response.body?.cancel();
    expect(conversations.calls.at(-1)).toEqual(["follow", conversations.id, afterSeq]);
  }
});

test("followEvents rejects an invalid or future event number", async () => {
  const conversations = new FakeConversations();
  await using api = await startApi({ conversations });
  conversations.emit({ type: "turn-start", input: "x" });

  for (const after of ["", "x", "-1", "1e1", "0x1", "1.0", "2", "99999999999999999999"]) {
    const path = `/conversations/${conversations.id}/events`;
    const byQuery = api.fetch(`${path}?after=${after}`);
    expect(await errorOf(byQuery)).toMatchObject({ status: 400, code: "INVALID_EVENT_ID" });
    if (after === "") continue;
    const byHeader = api.fetch(path, { headers: { "last-event-id": after } });
    expect(await errorOf(byHeader)).toMatchObject({ status: 400, code: "INVALID_EVENT_ID" });
  }
  expect(conversations.calls).toEqual([]);
});

test("followEvents stops following on a disconnect", async () => {
  const conversations = new FakeConversations();
  await using api = await startApi({ conversations });
  const response = await api.fetch(`/conversations/${conversations.id}/events`);
  await conversations.untilFollowers(1);

  await response.body?.cancel();
  await conversations.untilFollowers(0);

  const socket = connect(Number(new URL(api.url).port), "127.0.0.1");
  socket.write(
    `GET /conversations/${conversations.id}/events HTTP/1.1\r\nHost: ${new URL(api.url).host}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await conversations.untilFollowers(1);
  socket.destroy();
  await conversations.untilFollowers(0);
  expect(api.logged).toEqual([]);
});

test("followEvents disconnects a client that does not read, with bounded buffering", async () => {
  const conversations = new FakeConversations();
  await using api = await startApi({ conversations });
  const { host, port } = new URL(api.url);
  const socket = connect(Number(port), "127.0.0.1").pause();
  const closed = new Promise<void>((resolve) => socket.on("error", () => undefined).on("close", () => resolve()));
  socket.write(
    `GET /conversations/${conversations.id}/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await conversations.untilFollowers(1);
  // More than the system's socket buffers hold.
  for (let count = 0; count < 200; count += 1)
    conversations.emit({ type: "turn-start", input: "x".repeat(65_536) });

  for (let count = 0; count < 6; count += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    await api.clock.advance(15_000);
  }
  await conversations.untilFollowers(0);
  socket.resume();
  await closed;

  const again = await api.fetch(`/conversations/${conversations.id}/events?after=199`);
  const reader = again.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await reader?.cancel();
  expect(api.logged).toEqual([]);
});

test("followEvents opens no stream for a HEAD request", async () => {
  const conversations = new FakeConversations();
  await using api = await startApi({ conversations });

  const response = await api.fetch(`/conversations/${conversations.id}/events`, { method: "HEAD" });

  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
  expect(conversations.calls).toEqual([]);
});

test("followEvents sends final events of an unloaded service, then closes", async () => {
  const conversations = new FakeConversations();
  await using api = await startApi({ conversations });
  const stream = reading(await api.fetch(`/conversations/${conversations.id}/events`));
  expect(await stream.next()).toBe(": keep open\n\n");

  const unloading = api.kernel.unload("acme.conversations");
  await api.clock.advance(999);
  const last = conversations.emit({ type: "turn-end", status: "interrupted" });
  expect(await stream.next()).toBe(written(last));
  await api.clock.advance(1);

  expect(await stream.next()).toBeUndefined();
  await unloading;
  await conversations.untilFollowers(0);
});

test("followEvents closes its streams when the API is unloaded", async () => {
  const conversations = new FakeConversations();
  await using api = await startApi({ conversations });
  const stream = reading(await api.fetch(`/conversations/${conversations.id}/events`));
  expect(await stream.next()).toBe(": keep open\n\n");

  const unloaded = api.kernel.unload("transport-http");

  expect(await stream.next()).toBeUndefined();
  await unloaded;
  await conversations.untilFollowers(0);
});

test("the typed client sends a turn, follows it again, and receives errors unchanged", async () => {
  const conversations = new FakeConversations();
  await using api = await startApi({ conversations });
  const seen: TurnEvent[] = [];

  for await (const event of api.client.sendTurn(conversations.id, { input: "Hello" })) {
    seen.push(event);
    if (event.type === "turn-start") conversations.emit({ type: "turn-end", status: "completed" });
  }
  const again: TurnEvent[] = [];
  for await (const event of api.client.followEvents(conversations.id, { afterSeq: 0 })) {
    again.push(event);
    if (event.type === "turn-end") break;
  }

  expect(seen.map(({ type, seq }) => [type, seq])).toEqual([
    ["turn-start", 1],
    ["turn-end", 2],
  ]);
  expect(again).toEqual(seen);
  await conversations.untilFollowers(0);
  const failure: unknown = await api.client
    .call(routes.getConversation, { params: { id: unknownId } })
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiClientError);
  expect(failure).toMatchObject({ code: "CONVERSATION_UNKNOWN", status: 404 });
});

test("write routes check the conversation before the body", async () => {
  const conversations = new FakeConversations();
  await using api = await startApi({ conversations });
  const ask = (path: string, method: string): ReturnType<typeof errorOf> =>
    errorOf(api.fetch(`/conversations/${unknownId}${path}`, { method, body: "{" }));

  for (const [path, method] of [
    ["", "PATCH"],
    ["/fork", "POST"],
    ["/turns", "POST"],
    ["/queue/x", "DELETE"],
    ["/approvals/x", "POST"],
    ["/rebuild", "POST"],
  ] as const)
    expect({ path, ...(await ask(path, method)) }).toMatchObject({ path, code: "CONVERSATION_UNKNOWN" });
  expect(conversations.calls).toEqual([]);
});

test("pages of a conversation return the next cursor", async () => {
  const conversations = new FakeConversations();
  await using api = await startApi({ conversations });
  const params = { id: conversations.id };

  expect(await api.client.call(routes.listSteps, { params })).toEqual({ steps: [], nextCursor: "next" });
  expect(await api.client.call(routes.listMessages, { params })).toEqual({ messages: [], nextCursor: "next" });
  expect(await api.client.call(routes.searchConversations, { query: { q: "x" } })).toEqual({
    results: [],
    nextCursor: "next",
  });
});

test("exportConversation aborts its answer on a failure, and logs the reason", async () => {
  const conversations = new FakeConversations();
  await using api = await startApi({ conversations });

  for (const reason of [new Error("it was deleted"), "no error"]) {
    conversations.exportWith = async function* () {
      yield { type: "incipit-conversation", version: 1 };
      throw reason;
    };
    const whole = api.fetch(`/conversations/${conversations.id}/export`).then((answer) => answer.text());
    expect(await whole.catch(() => "cut off")).toBe("cut off");
  }

  const message = "An export was cut off";
  const conversationId = conversations.id;
  expect(api.logged).toEqual([
    { message, fields: { conversationId, error: "it was deleted" } },
    { message, fields: { conversationId, error: "no error" } },
  ]);
});

test("answerApproval passes the decision to the service, and returns it", async () => {
  const conversations = new FakeConversations();
  await using api = await startApi({ conversations });
  const approvalId = approvalIdSchema.parse(turnId);
  const params = { id: conversations.id, approvalId };

  const answer = await api.client.call(routes.answerApproval, { params, body: { decision: "deny" } });

  expect(answer).toEqual({ approvalId, decision: "deny" });
  expect(conversations.calls).toEqual([["answerApproval", approvalId, { decision: "deny" }]]);
});
