import { gzipSync, zstdCompressSync } from "node:zlib";
import { wireFormats } from "../model-server/wire-formats.ts";
import type { ModelReply, WrittenReply } from "../model-server/wire/model-reply.ts";
import type { WireName } from "../model-server/wire/wire-format.ts";
import type { Quirk, QuirkOutcome } from "./quirk.ts";

/** DeepSeek shares the bodies of chat completions. */
const formats: readonly (readonly [name: string, wires: readonly [WireName, ...WireName[]]])[] = [
  ["chat", ["openai-chat", "deepseek"]],
  ["responses", ["openai-responses"]],
  ["anthropic", ["anthropic"]],
  ["gemini", ["gemini"]],
];

const hello: QuirkOutcome = { text: "Hello", finishReason: "stop" };
const whole: ModelReply = { kind: "text", chunks: ["Hel", "lo"] };
const thought: ModelReply = {
  kind: "text",
  chunks: ["Hello"],
  reasoning: { text: "Hm", signature: "c2lnbmF0dXJl" },
};
const called: ModelReply = {
  kind: "tool-calls",
  calls: [{ id: "call_1", name: "lookup", arguments: ['{"a"', ":1}"] }],
};

interface Row {
  readonly id: string;
  readonly does: string;
  readonly sources: readonly string[];
  readonly reply: WrittenReply;
  readonly body: (events: readonly string[]) => string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly breaks?: Quirk["answer"]["breaks"];
  readonly sees: QuirkOutcome;
}

/** Up to the first that contains `words`. */
function until(events: readonly string[], words: string): string {
  return events.slice(0, events.findIndex((event) => event.includes(words)) + 1).join("");
}

function all(events: readonly string[]): string {
  return events.join("");
}

const rows: readonly Row[] = [
  {
    id: "reset-at-once",
    does: "the connection breaks before the first event",
    sources: ["oh-my-pi#7979", "opencodex#3389"],
    reply: whole,
    body: () => "",
    breaks: "unread",
    sees: { failure: { codes: ["CUT_OFF", "UNREACHABLE"], says: "", isRetryable: true } },
  },
  {
    id: "reset-in-a-thought",
    does: "the connection breaks behind the first of what was thought",
    sources: ["maka#4284", "pi#11879"],
    reply: thought,
    body: (events) => until(events, "Hm"),
    breaks: "unread",
    sees: { text: "", failure: { codes: ["CUT_OFF", "UNREACHABLE"], says: "", isRetryable: true } },
  },
  {
    id: "reset-in-a-text",
    does: "the connection breaks behind the first of a text",
    sources: ["claude-code#51076", "opencode#22803", "egg#1907"],
    reply: whole,
    body: (events) => until(events, "Hel"),
    breaks: "read",
    sees: { text: "Hel", failure: { codes: ["CUT_OFF", "UNREACHABLE"], says: "", isRetryable: false } },
  },
  {
    id: "reset-in-an-event",
    does: "the connection breaks in the middle of an event",
    sources: ["zero#973"],
    reply: whole,
    body: (events) => until(events, "Hel").slice(0, -9),
    breaks: "unread",
    sees: { text: "", failure: { codes: ["CUT_OFF", "UNREACHABLE"], says: "", isRetryable: true } },
  },
  {
    id: "reset-behind-the-end",
    does: "the connection breaks behind the last event",
    sources: ["claude-code#67766"],
    reply: whole,
    body: all,
    breaks: "read",
    sees: hello,
  },
  {
    id: "reset-behind-a-call",
    does: "the connection breaks behind the last event of a reply that calls",
    sources: ["FLUJO#292"],
    reply: called,
    body: all,
    breaks: "read",
    sees: { calls: [["lookup", { a: 1 }]], finishReason: "tool-calls" },
  },
  {
    id: "open-behind-the-end",
    does: "the connection stays open behind the last event",
    sources: ["letta-code#3720"],
    reply: whole,
    body: all,
    breaks: "never",
    sees: hello,
  },
  {
    id: "gzip",
    does: "the events come compressed",
    sources: ["claude-relay-service#1027", "envoyproxy/ai-gateway#1927", "ai-dial-core#1646"],
    reply: whole,
    body: (events) => gzipSync(all(events)),
    headers: { "content-encoding": "gzip" },
    sees: hello,
  },
  {
    id: "zstd",
    does: "the events come compressed in a newer way",
    sources: ["vm0#8903"],
    reply: whole,
    body: (events) => zstdCompressSync(all(events)),
    headers: { "content-encoding": "zstd" },
    sees: hello,
  },
  {
    id: "gzip-cut-off",
    does: "compressed events are cut off",
    sources: ["envoyproxy/ai-gateway#1927"],
    reply: whole,
    body: (events) => gzipSync(all(events)).subarray(0, 40),
    headers: { "content-encoding": "gzip" },
    sees: { failure: { codes: ["CUT_OFF", "UNREACHABLE", "BAD_RESPONSE"], says: "" } },
  },
  {
    id: "gzip-in-name-alone",
    does: "the events are said to be compressed, and are not",
    sources: ["superlocalmemory#79", "claude-code#20199"],
    reply: whole,
    body: all,
    headers: { "content-encoding": "gzip" },
    sees: { failure: { codes: ["BAD_RESPONSE"], says: "content-encoding", isRetryable: false } },
  },
  {
    id: "bytes-that-are-no-text",
    does: "a text has bytes that are no UTF-8",
    sources: ["claude-relay-service#1030"],
    reply: { kind: "text", chunks: ["Hel|", "lo"] },
    body: (events) => Buffer.from(Buffer.from(all(events)).toString("latin1").replace("|", "\xff"), "latin1"),
    sees: { text: "Hel\uFFFDlo", finishReason: "stop" },
  },
];

export const networkQuirks: readonly Quirk[] = formats.flatMap(([name, wires]) =>
  rows.map(({ id, does, sources, reply, body, headers = {}, breaks, sees }) => ({
    id: `${name}-${id}`,
    does,
    sources,
    wires,
    answer: {
      headers: { "content-type": "text/event-stream", ...headers },
      body: body(wireFormats[wires[0]].stream(reply, { usage: undefined, number: 1 })),
      ...(breaks === undefined ? {} : { breaks }),
    },
    sees,
  })),
);
