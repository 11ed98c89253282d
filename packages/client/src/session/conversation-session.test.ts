import type { TurnEvent } from "@incipit/schema";
import { expect, spyOn, test } from "bun:test";
import { createClient } from "../client.ts";
import { ConversationSession, type SessionOptions, type SessionState } from "./conversation-session.ts";

const id = "01a1fcd7-5c9a-7556-afda-76769002c75c";
const turnId = "01a1fcd7-5c9a-7556-afda-76769002c75d";
const base = { turnId, at: "2026-01-01T00:00:00.000Z" };
const part = { ...base, stepId: turnId, partId: "0" };
const start = { type: "turn-start", ...base, input: "Hi" };
const textStart = { type: "text-start", ...part, text: "" };
const delta = { type: "text-delta", ...part, text: "one" };
const end = { type: "turn-end", ...base, status: "completed" };
const question = { id: "m1", role: "user", turnId, parts: [{ type: "text", text: "Hi" }] };
const answer = { id: "m2", role: "assistant", turnId, parts: [{ type: "text", text: "one" }] };

type Event = Readonly<Record<string, unknown>>;

class FakeHost {
  readonly events: Event[];
  readonly requests: string[] = [];
  /** Answers to the next requests whose line contains the key. */
  readonly refusals = new Map<string, () => Response>();
  messages: readonly Event[] = [];
  conversation: Event = {};
  #stream: ReadableStreamDefaultController<string> | undefined;

  constructor(...events: readonly Event[]) {
    this.events = [...events];
  }

  emit(...events: readonly Event[]): void {
    this.events.push(...events);
    this.#write(this.events.length - events.length);
  }

  cut(): void {
    this.#stream?.close();
  }

  open(after: number, signal: AbortSignal | null | undefined): Response {
    const body = new ReadableStream<string>({
      start: (controller) => {
        this.#stream = controller;
        signal?.addEventListener("abort", () => controller.error(signal.reason));
        this.#write(after);
      },
    });
    return new Response(body.pipeThrough(new TextEncoderStream()));
  }

  #write(after: number): void {
    for (const [index, event] of this.events.entries())
      if (index >= after) this.#stream?.enqueue(`data: ${JSON.stringify({ ...event, seq: index + 1 })}\n\n`);
  }
}

async function fetchFrom(host: FakeHost, url: string, init: RequestInit): Promise<Response> {
  init.signal?.throwIfAborted();
  const { pathname, search } = new URL(url);
  const headers = new Headers(init.headers);
  const after = headers.get("last-event-id");
  const line = `${init.method} ${pathname.replace(id, ":id")}${search}${after === null ? "" : ` after ${after}`}`;
  host.requests.push(line);
  for (const [key, refusal] of host.refusals)
    if (line.includes(key)) {
      host.refusals.delete(key);
      return refusal();
    }
  if (after !== null) return host.open(Number(after), init.signal);
  if (pathname.endsWith("/messages")) return Response.json({ messages: host.messages.toReversed() });
  if (pathname.endsWith("/queue")) return Response.json({ queue: [] });
  if (pathname.endsWith("/turns")) return new Response(`data: ${JSON.stringify({ ...start, seq: 1 })}\n\n`);
  const conversation = { id, status: "idle", lastSeq: host.events.length, approvals: [], questions: [] };
  return Response.json({ conversation: { ...conversation, ...host.conversation } });
}

function unreachable(): Response {
  throw new TypeError("connection refused");
}

function refused(code: string): () => Response {
  return () => Response.json({ error: { code, message: "no" } }, { status: 404 });
}

function sessionOf(host: FakeHost, options: Partial<SessionOptions> = {}): ConversationSession {
  const client = createClient({
    url: "http://host.test",
    retry: { giveUpAfterMs: 0 },
    fetch: (url, init) => fetchFrom(host, url, init),
  });
  return new ConversationSession({ client, id, ...options });
}

/** Resolves with the first state that fits. */
function stateOf(session: ConversationSession, fits: (state: SessionState) => boolean): Promise<SessionState> {
  const { promise, resolve } = Promise.withResolvers<SessionState>();
  const leave = session.subscribe((state) => {
    if (fits(state)) resolve(state);
  });
  return promise.finally(leave);
}

test("follow() shows a turn from its events, and its stored messages once it has ended", async () => {
  const host = new FakeHost();
  const session = sessionOf(host);
  const opened = stateOf(session, () => true);
  const following = session.follow();
  expect(await opened).toMatchObject({ messages: [], live: undefined, seenSeq: 0, isAway: false });

  const spoken = stateOf(session, ({ seenSeq }) => seenSeq === 3);
  host.emit(start, textStart, delta);
  expect((await spoken).live).toMatchObject({ turnId, input: "Hi", parts: [{ kind: "text", text: "one" }] });

  host.messages = [question, answer];
  const ended = stateOf(session, ({ seenSeq, live }) => seenSeq === 4 && live === undefined);
  host.emit(end);
  expect((await ended).messages).toMatchObject([{ id: "m1" }, { id: "m2" }]);
  session.close();
  await following;
});

test("follow() replays a running turn from its start, without the turns before", async () => {
  const earlier = { ...start, turnId: id, input: "Before" };
  const host = new FakeHost(earlier, { ...end, turnId: id }, start, textStart, delta);
  host.messages = [{ ...question, id: "m0", turnId: id }, question];
  host.conversation = { status: "running" };
  const seen: TurnEvent["type"][] = [];
  const session = sessionOf(host, { onEvent: ({ type }) => void seen.push(type) });

  const replayed = stateOf(session, ({ live }) => live !== undefined);
  const following = session.follow();

  expect((await replayed).live).toMatchObject({ input: "Hi", parts: [{ text: "one" }] });
  expect(seen).toEqual(["turn-start", "text-start", "text-delta"]);
  expect<string | undefined>(session.openTurnId).toBe(turnId);
  session.close();
  await following;
});

test("follow() resumes after the newest event, and reads again what changed meanwhile", async () => {
  const host = new FakeHost();
  const seen: number[] = [];
  const session = sessionOf(host, { onEvent: ({ seq }) => void seen.push(seq) });
  const opened = stateOf(session, () => true);
  const following = session.follow();
  await opened;
  const first = stateOf(session, ({ seenSeq }) => seenSeq === 2);
  host.emit(start, textStart);
  await first;

  const away = stateOf(session, ({ isAway }) => isAway);
  host.refusals.set("after 2", unreachable);
  host.cut();
  await away;
  host.conversation = { title: "Renamed" };
  host.events.push(delta);
  const back = await stateOf(session, ({ seenSeq }) => seenSeq === 3);

  expect(seen).toEqual([1, 2, 3]);
  expect(back).toMatchObject({ isAway: false, conversation: { title: "Renamed" } });
  session.close();
  await following;
});

test("follow() rejects if the host refuses, and reports other failures to onProblem", async () => {
  const deleted = new FakeHost();
  deleted.refusals.set("GET", refused("CONVERSATION_UNKNOWN"));
  const failure = await sessionOf(deleted)
    .follow()
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "CONVERSATION_UNKNOWN" });

  const host = new FakeHost();
  const problem = Promise.withResolvers<unknown>();
  const session = sessionOf(host, { onProblem: problem.resolve });
  const opened = stateOf(session, () => true);
  const following = session.follow();
  await opened;
  host.refusals.set("/queue", refused("INTERNAL"));
  host.emit(start);

  expect(await problem.promise).toMatchObject({ code: "INTERNAL" });
  session.close();
  await following;
});

test("the state has each approval from its event on, also if the conversation was read ahead of it", async () => {
  const approval = { approvalId: id, turnId, toolCallId: "c", name: "shell", input: "{}" };
  const host = new FakeHost();
  const session = sessionOf(host);
  const opened = stateOf(session, () => true);
  const following = session.follow();
  await opened;

  host.conversation = { approvals: [approval], lastSeq: 9 };
  const begun = stateOf(session, ({ seenSeq }) => seenSeq === 1);
  const read = stateOf(session, ({ conversation }) => conversation.lastSeq === 9);
  host.emit(start);
  await begun;
  expect((await read).conversation.approvals).toEqual([]);

  const asked = stateOf(session, ({ seenSeq }) => seenSeq === 2);
  host.emit({ type: "approval-request", ...base, ...approval });
  expect((await asked).conversation.approvals).toMatchObject([{ approvalId: id }]);
  session.close();
  await following;
});

test("close() ends following at once, also while it learns that the host is away", async () => {
  const host = new FakeHost();
  host.refusals.set("after 0", unreachable);
  const session = sessionOf(host);
  session.subscribe(({ isAway }) => isAway && session.close());
  using timers = spyOn(globalThis, "setTimeout");

  await session.follow();

  expect(timers.mock.calls.filter(([, waitMs]) => waitMs === 250)).toEqual([]); // Delay of the first retry.
});

test("send() resends a message with the same key, and the answer to an ended request is ignored", async () => {
  const host = new FakeHost();
  host.refusals.set("/turns", unreachable);
  host.refusals.set("/approvals/", refused("APPROVAL_ENDED"));
  host.refusals.set("/questions/", refused("ANSWER_INVALID"));
  const session = sessionOf(host);

  expect<string | undefined>(await session.send({ input: "Hi" })).toBe(turnId);
  await session.answerApproval(id, { decision: "allow" });
  const invalid = await session.answerQuestion(id, { action: "decline" }).catch((error: unknown) => error);

  expect(invalid).toMatchObject({ code: "ANSWER_INVALID" });
  expect(host.requests.filter((line) => line.endsWith("/turns"))).toHaveLength(2);
});

test("a session of a conversation that was just created reads nothing before its events", async () => {
  const created = { id, status: "idle", lastSeq: 0, approvals: [], questions: [] };
  const host = new FakeHost();
  const client = createClient({ url: "http://host.test", fetch: (url, init) => fetchFrom(host, url, init) });
  const { conversation } = await client.call("GET /conversations/:id", { params: { id } });
  host.requests.length = 0;
  const session = sessionOf(host, { created: conversation });

  expect(session.state).toMatchObject({ conversation: created, messages: [], queue: [] });
  const following = session.follow();
  session.close();
  await following;
  expect(host.requests).toEqual([]);
});

test("a view that prints events reads messages once, and keeps no live turn", async () => {
  const host = new FakeHost();
  host.messages = [question];
  const session = sessionOf(host, { keepsMessages: false, pageSize: 30 });
  const opened = stateOf(session, () => true);
  const following = session.follow();
  await opened;
  const ended = stateOf(session, ({ seenSeq }) => seenSeq === 2);
  host.emit(start, end);

  expect((await ended).live).toBeUndefined();
  session.close();
  await following;
  expect(host.requests.filter((line) => line.includes("/messages"))).toEqual([
    "GET /conversations/:id/messages?limit=30&order=newest",
  ]);
});

test("the messages of an ended turn are read again after a reconnect, if the host went away meanwhile", async () => {
  const host = new FakeHost();
  const session = sessionOf(host);
  const opened = stateOf(session, () => true);
  const following = session.follow();
  await opened;

  host.messages = [question, answer];
  host.refusals.set("/messages", unreachable);
  const read = stateOf(session, ({ messages, live }) => messages.length === 2 && live === undefined);
  host.emit(start, textStart, delta, end);
  await read;

  session.close();
  await following;
});

test("a turn that waited in the queue is replayed from its start, not from its place in the queue", async () => {
  const earlier = { ...base, turnId: "01a1fcd7-5c9a-7556-afda-76769002c750" };
  const events = [
    { type: "turn-start", ...earlier, input: "Before" },
    { type: "turn-queue", ...base, input: "Hi" },
    { type: "text-start", ...part, ...earlier, text: "" },
    { type: "turn-end", ...earlier, status: "completed" },
    start,
    textStart,
  ];
  const host = new FakeHost(...events);
  host.conversation = { status: "running" };
  host.messages = [question];
  const printed: string[] = [];
  const session = sessionOf(host, { onEvent: ({ type }) => void printed.push(type) });
  const following = session.follow();
  await stateOf(session, ({ live }) => live !== undefined);

  expect(printed).toEqual(["turn-start", "text-start"]);

  session.close();
  await following;
});
