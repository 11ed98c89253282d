import type { ConversationId, TurnEvent, TurnId } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { mergeDeltas, numberProblems, type MergedEvent } from "@incipit/testkit";
import { expect } from "bun:test";
import type { HostProcess } from "./host-process.ts";

const endTimeoutMs = 120_000;

export interface KnownConversation {
  readonly id: ConversationId;
  readonly sent: string[];
  readonly acknowledged: { readonly input: string; readonly turnId: TurnId }[];
  readonly seen: TurnEvent[];
}

/** Checks acknowledgements of a host to its clients against the next host. */
export class Acknowledged {
  readonly conversations: KnownConversation[] = [];
  templates: readonly string[] = [];

  async check(host: HostProcess, conversations: readonly KnownConversation[] = this.conversations): Promise<void> {
    const { client } = host;
    const { status, problems } = await client.call(routes.getHealth);
    expect({ status, problems }).toEqual({ status: "ok", problems: [] });
    const { extensions } = await client.call(routes.listExtensions);
    expect(extensions.filter(({ phase }) => phase !== "active").map(({ id }) => id)).toEqual([]);
    const { template } = await client.call(routes.getSystemPrompt);
    if (this.templates.length > 0) expect(this.templates).toContain(template);
    this.templates = [template];
    for (const conversation of conversations) await checkConversation(client, conversation);
  }
}

async function checkConversation(client: Client, known: KnownConversation): Promise<void> {
  const events = await eventsOf(client, known);
  expect(numberProblems(events)).toEqual([]);
  expect(missing(known.seen, events)).toEqual([]);
  for (const { turnId } of known.acknowledged) {
    const ends = events.filter((event) => event.turnId === turnId && event.type === "turn-end");
    expect(ends).toHaveLength(1);
    expect(events.findLast((event) => event.turnId === turnId)).toEqual(ends[0]);
  }
  const stored = await inputsOf(client, known.id);
  expect(stored).toEqual(known.sent.filter((input) => stored.includes(input)));
  for (const { input } of known.acknowledged) expect(stored).toContain(input);
}

async function eventsOf(client: Client, { id, acknowledged }: KnownConversation): Promise<readonly TurnEvent[]> {
  const events: TurnEvent[] = [];
  const open = new Set(acknowledged.map(({ turnId }) => turnId));
  const newestSeq = async (): Promise<number> =>
    (await client.call(routes.getConversation, { params: { id } })).conversation.lastSeq;
  if (open.size === 0 && (await newestSeq()) === 0) return events;
  const signal = AbortSignal.timeout(endTimeoutMs);
  try {
    for await (const event of followed(client, id, signal)) {
      events.push(event);
      if (event.type === "turn-end") open.delete(event.turnId);
      else if (!event.type.startsWith("compaction-")) open.add(event.turnId); // Stored, and possibly not acknowledged.
      if (open.size === 0 && (await newestSeq()) === event.seq) return events;
    }
  } catch (cause) {
    if (!signal.aborted) throw cause;
  }
  const last = JSON.stringify(events.at(-1));
  throw new Error(`In ${id} these turns have no end: ${[...open].join(", ")}; the newest event is ${last}`);
}

/** From the first event, then live, as a reconnecting client sees them. */
export async function* followed(
  client: Client,
  id: ConversationId,
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<TurnEvent> {
  for (let afterSeq = 0; !signal.aborted;) {
    for await (const event of client.followEvents(id, { afterSeq, signal })) {
      afterSeq = event.seq;
      yield event;
    }
  }
}

/** Stored events may be merged further. */
function missing(seen: readonly TurnEvent[], stored: readonly TurnEvent[]): readonly MergedEvent[] {
  const bySeq = new Map(mergeDeltas(stored).map((event) => [event.seq, event]));
  const wholes = [...bySeq.values()].flatMap((event) => ("fromSeq" in event ? [event] : []));
  return mergeDeltas(seen).filter((event) => {
    if (!("fromSeq" in event)) return !Bun.deepEquals(event, bySeq.get(event.seq));
    const { fromSeq, seq, text } = event;
    const whole = wholes.find((other) => other.fromSeq <= fromSeq && seq <= other.seq);
    if (whole?.partId !== event.partId || whole.type !== event.type) return true;
    return whole.fromSeq === fromSeq ? !whole.text.startsWith(text) : !whole.text.includes(text);
  });
}

/** All text that users sent, without messages carried over by a compaction. */
export async function inputsOf(client: Client, id: string): Promise<readonly string[]> {
  const inputs: string[] = [];
  for (let cursor: string | undefined; ;) {
    const query = { limit: 100, ...(cursor === undefined ? {} : { cursor }) };
    const page = await client.call(routes.listMessages, { params: { id }, query });
    for (const { role, parts, carriedFrom } of page.messages)
      if (role === "user" && carriedFrom === undefined)
        inputs.push(...parts.flatMap((part) => (part.type === "text" ? [part.text] : [])));
    cursor = page.nextCursor;
    if (cursor === undefined) return inputs;
  }
}

/** From the first event to a number of `turn-end` events. */
export async function eventsUntil(
  { client }: HostProcess,
  id: string,
  turnEnds: number,
): Promise<readonly TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of client.followEvents(id, { afterSeq: 0 })) {
    events.push(event);
    if (events.filter(({ type }) => type === "turn-end").length === turnEnds) break;
  }
  return events;
}
