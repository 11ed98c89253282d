import { expect, test } from "bun:test";
import { FakeClock } from "../time/fake-clock.ts";
import { OpenSocket, type OpenSocketOptions, type RawSocket } from "./open-socket.ts";

class TestSocket extends EventTarget implements RawSocket {
  readonly log: string[] = [];

  send(text: string): void {
    this.log.push(`send ${text}`);
  }

  close(code?: number, reason?: string): void {
    this.log.push(`close ${code} ${reason}`.trim());
  }

  terminate(): void {
    this.log.push("terminate");
  }

  happens(type: "open" | "message" | "close" | "error", fields: object = {}): void {
    this.dispatchEvent(Object.assign(new Event(type), fields));
  }
}

async function opened(
  options: Partial<OpenSocketOptions> = {},
): Promise<{ readonly raw: TestSocket; readonly socket: OpenSocket }> {
  const raw = new TestSocket();
  const opening = OpenSocket.opened(raw, { clock: new FakeClock(), ...options });
  raw.happens("open");
  return { raw, socket: await opening };
}

async function all(socket: OpenSocket): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const text of socket.messages) texts.push(text);
  return texts;
}

test("OpenSocket yields messages in order up to the close, then reports the close code", async () => {
  const { raw, socket } = await opened();
  raw.happens("message", { data: "one" });
  raw.happens("message", { data: "two" });
  raw.happens("close", { code: 4_000, reason: "bye" });
  socket.send("too late");

  expect(await all(socket)).toEqual(["one", "two"]);
  expect(await socket.ended).toEqual({ code: 4_000, reason: "bye" });
  expect(raw.log).toEqual([]);
});

test("OpenSocket ends immediately on close(), and terminates a silent peer after a timeout", async () => {
  const clock = new FakeClock();
  const { raw, socket } = await opened({ clock });
  const read = all(socket);

  socket.close(4_009, "zombie");

  expect(await socket.ended).toEqual({ code: 4_009, reason: "zombie" });
  expect(await read).toEqual([]);
  await clock.advance(5_000);
  expect(raw.log).toEqual(["close 4009 zombie", "terminate"]);
});

test("OpenSocket closes on buffer overflow, binary messages and abort", async () => {
  const many = await opened({ maxWaitingLength: 5 });
  many.raw.happens("message", { data: "12345" });
  many.raw.happens("message", { data: "6" });
  const binary = await opened();
  binary.raw.happens("message", { data: new ArrayBuffer(1) });
  const stop = new AbortController();
  const stopped = await opened({ signal: stop.signal });
  stop.abort();

  expect([await many.socket.ended, await binary.socket.ended, await stopped.socket.ended]).toMatchObject([
    { code: 1_009 },
    { code: 1_003 },
    { code: 1_000 },
  ]);
});

test("OpenSocket closes when its reader leaves the iteration", async () => {
  const { raw, socket } = await opened();
  raw.happens("message", { data: "one" });

  for await (const _ of socket.messages) break;

  expect(raw.log).toEqual(["close 1000"]);
});

test("OpenSocket.opened rejects with the runtime error or abort reason, and closes the socket", async () => {
  const stop = new AbortController();
  const [refused, closed, stopped] = [new TestSocket(), new TestSocket(), new TestSocket()];
  const clock = new FakeClock();
  const opening = [
    OpenSocket.opened(refused, { clock }),
    OpenSocket.opened(closed, { clock }),
    OpenSocket.opened(stopped, { clock, signal: stop.signal }),
  ].map((one) => one.catch((error: unknown) => error));
  refused.happens("error", { error: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }) });
  closed.happens("close", { code: 1_006, reason: "" });
  stop.abort(new Error("enough"));

  expect(await Promise.all(opening)).toMatchObject([
    { code: "ECONNREFUSED" },
    { message: expect.stringContaining("1006") },
    { message: "enough" },
  ]);
  expect(stopped.log).toContain("terminate");
});
