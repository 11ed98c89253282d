import { FakeClock, type Log, type RunningProgram } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { ProgramMessages, type ProgramMessagesOptions } from "./program-messages.ts";

const limits = { maxBytes: 1_024, maxDepth: 100, maxMessages: 3, windowMs: 10_000 };
const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

function talking(
  lines: readonly string[],
  options: Pick<ProgramMessagesOptions, "onMessage"> & Partial<ProgramMessagesOptions>,
): { readonly messages: ProgramMessages; readonly ended: Promise<string | undefined> } {
  const ended = Promise.withResolvers<string | undefined>();
  const never = new Promise<never>(() => {});
  const program: RunningProgram = {
    stdout: (async function* () {
      yield Buffer.from(lines.map((line) => `${line}\n`).join(""));
      await never;
    })(),
    stderr: (async function* () {})(),
    write: async () => {},
    ended: never,
    stop: async () => {},
  };
  const messages = new ProgramMessages({
    who: "The agent",
    what: "a message",
    program,
    log: silent,
    clock: new FakeClock(),
    redact: (text) => text,
    limits,
    onEnd: ended.resolve,
    ...options,
  });
  messages.start();
  return { messages, ended: ended.promise };
}

test("ProgramMessages reads no further while a message is being handled", async () => {
  const taken: unknown[] = [];
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const last = Promise.withResolvers<void>();
  talking(["1", "2", "3"], {
    onMessage: (message) => {
      taken.push(message);
      if (message === 1) first.resolve();
      if (message === 3) last.resolve();
      return message === 1 ? second.promise : undefined;
    },
  });

  await first.promise;
  await new Promise((resolve) => setImmediate(resolve));
  expect(taken).toEqual([1]);
  second.resolve();
  await last.promise;
  expect(taken).toEqual([1, 2, 3]);
});

test("ProgramMessages ends a flooding program, except while all messages were requested", async () => {
  const lines = ["1", "2", "3", "4"];
  const flood = talking(lines, { onMessage: () => {} });
  const asked = Promise.withResolvers<void>();
  const replay = talking(lines, { onMessage: (message) => (message === 4 ? asked.resolve() : undefined) });
  replay.messages.isCounting = false;

  expect(await flood.ended).toBe("sent more than 3 messages within 10 s");
  await asked.promise;
});

test("ProgramMessages reports its end once, preferring the first reason over that of close", async () => {
  const told: (string | undefined)[] = [];
  const { messages } = talking([], { onMessage: () => {}, onEnd: (reason) => void told.push(reason) });

  await messages.close("was late");
  await messages.close();

  expect(told).toEqual(["was late"]);
});
