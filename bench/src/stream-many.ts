/**
 * `bun stream-many.ts COUNT SECONDS`: models and readers share a process, so that one clock times each delta. Prints
 * the models' URL, reads a JSON line with the host's URL, token and conversation ids, and prints a line when all
 * stream, and one with results. Raw HTTP: a library's overhead for two thousand connections would dominate.
 */
import type { Socket } from "bun";
import * as z from "zod";
import { linesOf } from "./lines-of.ts";
import { percentile } from "./measure.ts";

const [size = 0, seconds = 0] = process.argv.slice(2).map(Number);
/** Interval of deltas: 20 a second. */
const deltaMs = 50;
/** Deltas sent together share a wake-up; models on a network are spread as evenly. */
const slotMs = 5;
const marks = { begin: "<", end: ">" };

interface Model {
  readonly socket: Socket<{ head: string }>;
  deltaCount: number;
}
const models: Model[] = [];
const allAsked = Promise.withResolvers<void>();

const eventOf = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: "r", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const [beforeText = "", afterText = ""] = eventOf({ content: "TEXT" }).split("TEXT");
/** ASCII only: https://www.rfc-editor.org/rfc/rfc9112#section-7.1 */
const chunkOf = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

const server = Bun.listen<{ head: string }>({
  hostname: "127.0.0.1",
  port: 0,
  socket: {
    open(socket) {
      socket.data = { head: "" };
    },
    data(socket, bytes) {
      socket.data.head += bytes.toString("latin1");
      const headEnd = socket.data.head.indexOf("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(socket.data.head)?.[1]);
      if (headEnd === -1 || socket.data.head.length < headEnd + 4 + length) return;
      socket.data.head = "";
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n${chunkOf(eventOf({ role: "assistant", content: "" }))}`,
      );
      models.push({ socket, deltaCount: 0 });
      if (models.length === size) allAsked.resolve();
    },
  },
});
process.stdout.write(`http://127.0.0.1:${server.port}/v1\n`);

const givenSchema = z.object({ url: z.url(), token: z.string(), ids: z.array(z.string()) });
const { value: line } = await linesOf(Bun.stdin.stream()).next();
const { url, token, ids } = givenSchema.parse(JSON.parse(line ?? "null"));
const { hostname, port } = new URL(url);

let isCounting = false;
const delays: number[] = [];
let seenCount = 0;
let endedCount = 0;
const allEnded = Promise.withResolvers<void>();

function read(socket: Socket<{ rest: string }>, bytes: Buffer): void {
  const nowMs = performance.now();
  const events = (socket.data.rest + bytes.toString("latin1")).split("\n\n");
  socket.data.rest = events.pop() ?? "";
  for (const event of events) {
    if (event.includes("event: text-delta")) readDelta(event, nowMs);
    if (!event.includes("event: turn-end")) continue;
    endedCount += 1;
    socket.end();
    if (endedCount === size) allEnded.resolve();
  }
}

/** The host may have merged deltas into one event. */
function readDelta(event: string, nowMs: number): void {
  for (let begin = event.indexOf(marks.begin); begin !== -1; begin = event.indexOf(marks.begin, begin + 1)) {
    seenCount += 1;
    if (isCounting) delays.push(nowMs - Number.parseFloat(event.slice(begin + 1)));
  }
}

await Promise.all(
  ids.map((id) =>
    Bun.connect<{ rest: string }>({
      hostname,
      port: Number(port),
      socket: {
        open(socket) {
          socket.data = { rest: "" };
          const body = JSON.stringify({ input: "go" });
          socket.write(
            `POST /conversations/${id}/turns HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${token}\r\n` +
              `content-type: application/json\r\naccept: text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
          );
        },
        data: read,
      },
    }),
  ),
);
await allAsked.promise;

const slots = Array.from({ length: deltaMs / slotMs }, (_, slot) =>
  models.filter((_model, index) => index % (deltaMs / slotMs) === slot),
);
async function speak(untilMs: number): Promise<void> {
  let dueMs = performance.now();
  for (let slot = 0; dueMs < untilMs; slot = (slot + 1) % slots.length) {
    for (const model of slots[slot] ?? []) {
      model.deltaCount += 1;
      model.socket.write(
        chunkOf(`${beforeText}${marks.begin}${performance.now().toFixed(1)}${marks.end}${afterText}`),
      );
    }
    dueMs += slotMs;
    await Bun.sleep(Math.max(0, dueMs - performance.now()));
  }
}

await speak(performance.now() + 5_000);
isCounting = true;
process.stdout.write("streaming\n");
const startMs = performance.now();
await speak(startMs + seconds * 1_000);
const spokeMs = performance.now() - startMs;
isCounting = false;
const saidCount = models.reduce((sum, { deltaCount }) => sum + deltaCount, 0);
const end = `${chunkOf(eventOf({}, "stop"))}${chunkOf("data: [DONE]\n\n")}0\r\n\r\n`;
for (const { socket } of models) socket.write(end);
const isWhole = await Promise.race([allEnded.promise.then(() => true), Bun.sleep(30_000).then(() => false)]);
if (!isWhole) throw new Error(`${size - endedCount} of ${size} turns did not end`);
const report = {
  saidCount,
  seenCount,
  spokeMs,
  countedCount: delays.length,
  p50Ms: percentile(delays, 0.5),
  p99Ms: percentile(delays, 0.99),
};
process.stdout.write(`${JSON.stringify(report)}\n`);
process.exit(0);
