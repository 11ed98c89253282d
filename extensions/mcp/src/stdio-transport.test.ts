import { FakeClock, type Log, type RunningProgram } from "@incipit/kernel";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { expect, test } from "bun:test";
import { StdioTransport } from "./stdio-transport.ts";

interface Heard {
  readonly messages: readonly JSONRPCMessage[];
  readonly warnings: readonly string[];
  readonly end: string | undefined;
  readonly closings: number;
  readonly timers: number;
}

async function heard(
  lines: readonly string[],
  { hasEnded = true, onMessage = () => {} }: { readonly hasEnded?: boolean; readonly onMessage?: () => void } = {},
): Promise<Heard> {
  const clock = new FakeClock();
  const [messages, warnings]: [JSONRPCMessage[], string[]] = [[], []];
  const ended = Promise.withResolvers<string | undefined>();
  const program: RunningProgram = {
    stdout: (async function* () {
      yield Buffer.from(lines.join("\n"));
    })(),
    stderr: (async function* () {})(),
    write: async () => {},
    ended: hasEnded ? Promise.resolve({ exitCode: 3, signal: null }) : new Promise(() => {}),
    stop: async () => {},
  };
  const log: Log = { debug() {}, info() {}, error() {}, warn: (message) => void warnings.push(message) };
  const transport = new StdioTransport({
    server: "x",
    program,
    log,
    clock,
    redact: (text) => text.replaceAll("key", "[secret]"),
    onEnd: ({ message }) => ended.resolve(message),
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the library knows callbacks alone
  transport.onmessage = (message) => {
    messages.push(message);
    onMessage();
  };
  let closings = 0;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- as above
  transport.onclose = () => (closings += 1);
  await transport.start();
  const end = await clock.advanceUntil(ended.promise);
  await transport.close();
  return { messages, warnings, end, closings, timers: clock.pending };
}

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const deep = (levels: number): string =>
  `{"jsonrpc":"2.0","id":2,"method":"ping","params":{"a":${"[".repeat(levels)}${"]".repeat(levels)}}}`;

const wide = (count: number): string =>
  `{"jsonrpc":"2.0","id":2,"method":"ping","params":{"a":[${"0,".repeat(count)}0]}}`;

test("[attack:bounds-mcp-wide-message] StdioTransport ends a server that sends a message of a million values", async () => {
  const hostile = await heard([wide(1_000_000), ping]);
  const control = await heard([wide(100_000), ping]);

  expect(hostile).toMatchObject({ messages: [], end: "sent a message made of more than 200000 values" });
  expect(control.messages).toMatchObject([{ id: 2 }, { id: 1 }]);
});

test("[attack:bounds-mcp-brackets] StdioTransport skips a message nested 200,000 levels deep and continues", async () => {
  const hostile = await heard([deep(200_000), ping]);
  const control = await heard([deep(20_000), ping]); // Its tools are checked individually.

  expect(hostile.messages).toMatchObject([{ id: 1 }]);
  expect(hostile.warnings).toEqual([
    expect.stringContaining(
      'The MCP server "x" printed something that is not an MCP message; it is skipped: {"jsonrpc"',
    ),
  ]);
  expect(control.messages).toMatchObject([{ id: 2 }, { id: 1 }]);
});

test("StdioTransport logs one skipped line without secrets, and counts the rest at the end", async () => {
  const { messages, warnings, end, closings, timers } = await heard(["a key", "b", "c", ping, "[]"]);

  expect(messages).toHaveLength(1);
  expect(warnings).toEqual([
    'The MCP server "x" printed something that is not an MCP message; it is skipped: a [secret]',
    'The MCP server "x" printed 4 lines that were skipped',
  ]);
  expect(end).toBe("ended (exit code 3)");
  expect([closings, timers]).toEqual([1, 0]);
});

test("StdioTransport yields to other work between messages of a busy server", async () => {
  const order: string[] = [];

  await heard([ping, ping, ping], {
    onMessage: () => {
      order.push("message");
      setImmediate(() => order.push("others"));
    },
  });

  expect(order.slice(0, 5)).toEqual(["message", "others", "message", "others", "message"]);
});

test("StdioTransport does not wait for a program that has closed its output", async () => {
  expect((await heard([ping], { hasEnded: false })).end).toBe("closed its output");
});

test("StdioTransport ends a program that does not read its input, and stops counting", async () => {
  const reasons: string[] = [];
  let isReading = true;
  const never = new Promise<never>(() => {});
  const program: RunningProgram = {
    stdout: (async function* () {
      yield* [];
      await never;
    })(),
    stderr: (async function* () {})(),
    write: () => (isReading ? Promise.resolve() : never),
    ended: never,
    stop: async () => {},
  };
  const ignore = (): void => {};
  const transport = new StdioTransport({
    server: "x",
    program,
    log: { debug: ignore, info: ignore, error: ignore, warn: ignore },
    clock: new FakeClock(),
    redact: (text) => text,
    onEnd: ({ message }) => void reasons.push(message),
  });
  await transport.start();
  const large = { jsonrpc: "2.0", method: "notifications/x", params: { text: "x".repeat(6 * 1_048_576) } } as const;

  for (let count = 0; count < 4; count += 1) await transport.send(large);
  expect(reasons).toEqual([]);
  isReading = false;
  const unread = [transport.send(large), transport.send(large)];
  expect(reasons).toEqual([]);
  await transport.send(large);

  expect(reasons).toEqual(["does not read its input"]);
  expect(unread).toHaveLength(2);
});
