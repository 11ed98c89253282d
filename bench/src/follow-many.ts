/**
 * `bun follow-many.ts URL TOKEN CONVERSATION COUNT`: follows a conversation with many clients. Prints a line when
 * all are connected, and one with times and event counts when each has seen the end of a turn.
 */
import { linesOf } from "./lines-of.ts";

const [url = "", token = "", id = "", size = "0"] = process.argv.slice(2);

interface Follower {
  readonly response: Response;
  eventCount: number;
  endAtMs: number;
}

async function connect(): Promise<Follower> {
  const response = await fetch(`${url}/conversations/${id}/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(120_000),
  });
  if (!response.ok) throw new Error(`The host answered ${response.status}`);
  return { response, eventCount: 0, endAtMs: 0 };
}

/** Numbers and types only, so that the clients do not dominate the measurement. */
async function follow(follower: Follower): Promise<void> {
  const lines = linesOf(follower.response.body ?? new ReadableStream());
  let seq: number | undefined;
  for (;;) {
    const { done, value: line } = await lines.next(); // Leaving a `for await` loop would end the stream.
    if (done === true) throw new Error("A stream ended before the turn");
    if (line.startsWith("id: ")) {
      const number = Number(line.slice("id: ".length));
      if (seq !== undefined && number !== seq + 1) throw new Error(`Event ${seq} is followed by ${number}`);
      seq = number;
      follower.eventCount += 1;
    }
    if (line !== "event: turn-end") continue;
    follower.endAtMs = performance.timeOrigin + performance.now();
    return;
  }
}

const all = await Promise.all(Array.from({ length: Number(size) }, connect));
process.stdout.write(`${all.length}\n`);
await Promise.all(all.map(follow));
if (new Set(all.map(({ eventCount }) => eventCount)).size !== 1) throw new Error("Some followers had fewer events");
const ends = all.map(({ endAtMs }) => endAtMs);
const report = {
  firstEndAtMs: Math.min(...ends),
  lastEndAtMs: Math.max(...ends),
  eventCount: all.reduce((sum, { eventCount }) => sum + eventCount, 0),
};
process.stdout.write(`${JSON.stringify(report)}\n`);
await new Promise(() => {});
