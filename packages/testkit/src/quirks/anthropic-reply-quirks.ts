import { counted, cut, cutInText, failed, hello, looked, replyQuirks, type ReplyRow } from "./reply-quirks.ts";

function event(type: string, more: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
}

const messageHead = { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], stop_reason: null };

function started(more: object = {}): string {
  const usage = { input_tokens: 9, output_tokens: 1 };
  return event("message_start", { message: { ...messageHead, usage, ...more } });
}

function opened(block: object, index = 0): string {
  return event("content_block_start", { index, content_block: block });
}

function delta(change: object, index = 0): string {
  return event("content_block_delta", { index, delta: change });
}

function closed(index = 0): string {
  return event("content_block_stop", { index });
}

function text(said: string, index = 0): string {
  return delta({ type: "text_delta", text: said }, index);
}

function input(json: string, index = 0): string {
  return delta({ type: "input_json_delta", partial_json: json }, index);
}

function ended(reason: string | null = "end_turn", more: object = {}): string {
  return event("message_delta", {
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 2 },
    ...more,
  });
}

const stop = event("message_stop");
const ping = event("ping");
const openText = opened({ type: "text", text: "" });
const said = openText + text("Hel") + text("lo") + closed();
const tool = { type: "tool_use", id: "toolu_1", name: "lookup", input: {} };

const rows: readonly ReplyRow[] = [
  [
    "anthropic-usage-before-the-reason",
    "the usage comes with a delta of the message, and the reason with another that has none",
    [],
    started() + said + ended(null) + ended("end_turn", { usage: undefined }) + stop,
  ],
  [
    "anthropic-second-delta-without-usage",
    "a second delta of the message has no usage",
    [],
    started() + said + ended() + ended(null, { usage: null }) + stop,
  ],
  [
    "anthropic-second-start",
    "the message starts a second time, with the same id",
    ["NemoClaw#6297", "vercel/ai#18332"],
    started() + started() + said + ended() + stop,
  ],
  [
    "anthropic-second-start-of-another-id",
    "the message starts a second time in the middle of the arguments of a call, with another id",
    ["vercel/ai#18332"],
    started() +
      opened(tool) +
      input('{"a"') +
      started({ id: "msg_2" }) +
      input(":1}") +
      closed() +
      ended("tool_use") +
      stop,
    looked,
  ],
  [
    "anthropic-second-start-in-a-text",
    "the message starts a second time in the middle of a text, with another id",
    ["vercel/ai#18332"],
    started() + openText + text("Hel") + started({ id: "msg_2" }) + text("lo") + closed() + ended() + stop,
  ],
  [
    "anthropic-pings-for-a-stop",
    "pings come behind the reason, and no end",
    ["better-ccflare#307"],
    started() + said + ended() + ping + ping,
  ],
  [
    "anthropic-no-stop",
    "the stream is over behind the reason",
    ["better-ccflare#307", "litellm#32159"],
    started() + said + ended(),
  ],
  [
    "anthropic-no-stop-behind-a-call",
    "the stream is over behind the reason of a call",
    ["litellm#32159"],
    started() + opened(tool) + input('{"a":1}') + closed() + ended("tool_use"),
    looked,
  ],
  [
    "anthropic-stop-without-reason",
    "the end comes without a reason before it",
    ["plano#898"],
    started() + said + stop,
    hello,
  ],
  [
    "anthropic-stop-without-reason-behind-a-call",
    "the end comes behind a call without a reason before it",
    ["plano#898"],
    started() + opened(tool) + input('{"a":1}') + closed() + stop,
    looked,
  ],
  ["anthropic-null-reason", "the reason is null", ["plano#898"], started() + said + ended(null) + stop, hello],
  ["anthropic-two-stops", "the end comes twice", ["plano#898"], started() + said + ended() + stop + stop],
  ["anthropic-bare-stop", "nothing but an end comes", ["plano#898"], stop, { failure: cut }],
  ["anthropic-no-start", "the message never starts", ["plano#898"], said + ended() + stop, hello],
  [
    "anthropic-delta-without-start",
    "the reason comes where the message never started",
    ["plano#898"],
    ended() + said + ended() + stop,
    hello,
  ],
  [
    "anthropic-bare-start",
    "the start has no message",
    ["plano#898"],
    event("message_start") + said + ended() + stop,
    hello,
  ],
  [
    "anthropic-bare-reason",
    "the reason stands beside the type, and the delta is missing",
    ["plano#898"],
    started() + said + event("message_delta", { stop_reason: "end_turn" }) + stop,
    hello,
  ],
  [
    "anthropic-compaction-block",
    "a summary of the conversation is the first block",
    ["litellm#28868"],
    started() +
      opened({ type: "compaction", content: null }) +
      delta({ type: "compaction_delta", content: "They spoke." }) +
      closed() +
      opened({ type: "text", text: "" }, 1) +
      text("Hello", 1) +
      closed(1) +
      ended() +
      stop,
  ],
  [
    "anthropic-unknown-block",
    "a block and a delta have types that are in no specification",
    ["litellm#28868"],
    started() +
      opened({ type: "x_block" }) +
      delta({ type: "x_delta", x: 1 }) +
      closed() +
      opened({ type: "text", text: "" }, 1) +
      text("Hello", 1) +
      closed(1) +
      ended() +
      stop,
  ],
  [
    "anthropic-unknown-event-with-a-message",
    "an event of a type that is in no specification has a message",
    [],
    started() + event("notice", { message: "The model was updated." }) + said + ended() + stop,
  ],
  [
    "anthropic-unopened-block",
    "the deltas of a text come without the start of its block",
    ["plano#898"],
    started() + text("Hel") + text("lo") + closed() + ended() + stop,
  ],
  [
    "anthropic-unclosed-block",
    "a call is not closed before the reason",
    ["plano#898"],
    started() + opened(tool) + input('{"a":1}') + ended("tool_use") + stop,
    looked,
  ],
  [
    "anthropic-input-at-once",
    "the arguments of a call stand in the start of its block, and no delta comes",
    ["litellm#32159"],
    started() + opened({ ...tool, input: { a: 1 } }) + closed() + ended("tool_use") + stop,
    looked,
  ],
  [
    "anthropic-input-as-text",
    "the arguments of a call stand in the start of its block as a text",
    ["litellm#32159"],
    started() + opened({ ...tool, input: '{"a":1}' }) + closed() + ended("tool_use") + stop,
    looked,
  ],
  [
    "anthropic-text-at-once",
    "a text stands in the start of its block, and no delta comes",
    ["litellm#32159"],
    started() + opened({ type: "text", text: "Hello" }) + closed() + ended() + stop,
  ],
  [
    "anthropic-block-without-text",
    "the start of a text has no text",
    ["litellm#32159"],
    started() + opened({ type: "text" }) + text("Hello") + closed() + ended() + stop,
  ],
  [
    "anthropic-tool-without-input",
    "the start of a call has no input",
    ["litellm#32159"],
    started() +
      opened({ type: "tool_use", id: "toolu_1", name: "lookup" }) +
      input('{"a":1}') +
      closed() +
      ended("tool_use") +
      stop,
    looked,
  ],
  [
    "anthropic-usage-as-null",
    "the usage is null",
    ["plano#898"],
    started({ usage: null }) + said + ended("end_turn", { usage: null }) + stop,
    { ...hello, inputTokens: null, outputTokens: null },
  ],
  [
    "anthropic-no-index",
    "blocks have no index",
    ["plano#898"],
    started() +
      event("content_block_start", { content_block: { type: "text", text: "" } }) +
      event("content_block_delta", { delta: { type: "text_delta", text: "Hello" } }) +
      event("content_block_stop") +
      ended() +
      stop,
  ],
  [
    "anthropic-keep-alive",
    "words, empty objects and the end of chat completions come in between",
    ["plano#898"],
    `${started()}data: ping\n\ndata: {}\n\n${said}${ended()}${stop}data: [DONE]\n\n`,
  ],
  [
    "anthropic-cut-off",
    "the stream is over in the middle of a text",
    ["litellm#32159"],
    started() + openText + text("Hel"),
    cutInText,
  ],
  [
    "anthropic-cut-off-in-an-event",
    "the stream is over in the middle of an event",
    ["litellm#32159"],
    `${started()}${openText}${text("Hel")}data: {"type":"content_blo`,
    cutInText,
  ],
  [
    "anthropic-no-blank-line-at-the-end",
    "the body ends right behind the last event",
    ["openai-node#2725"],
    started() + said + ended() + stop.trimEnd(),
  ],
  [
    "anthropic-error-as-text",
    "an event has the error as a text",
    ["lemonade#2826"],
    event("error", { error: "model not loaded" }),
    { failure: { codes: failed, says: "model not loaded" } },
  ],
  [
    "anthropic-error-at-top-level",
    "the words of an error stand beside its type",
    ["Floway#330"],
    event("error", { message: "model not loaded" }),
    { failure: { codes: failed, says: "model not loaded" } },
  ],
  [
    "anthropic-chat-error",
    "an error comes in the middle as chat completions have it",
    ["litellm#40243"],
    `${started()}${openText}${text("Hel")}data: {"error":{"message":"the upstream is gone","code":500}}\n\n`,
    { text: "Hel", failure: { codes: failed, says: "the upstream is gone", isRetryable: false } },
  ],
  [
    "anthropic-whole-reply",
    "a whole message comes where a stream was asked for",
    ["opencode#43882"],
    JSON.stringify({
      ...messageHead,
      content: [
        { type: "text", text: "Hello" },
        { ...tool, input: { a: 1 } },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 9, output_tokens: 2 },
    }),
    { text: "Hello", ...looked, inputTokens: 9, outputTokens: 2 },
    "application/json",
  ],
  [
    "anthropic-error-in-a-200",
    "an error comes as JSON, with the status of a success",
    ["lemonade#2826"],
    '{"type":"error","error":{"type":"not_loaded","message":"model not loaded"}}',
    { failure: { codes: failed, says: "model not loaded" } },
    "application/json",
  ],
  [
    "anthropic-words-in-a-200",
    "words come in place of a reply",
    ["lemonade#2826"],
    "Internal error: model not loaded",
    { failure: { codes: [...failed, "BAD_RESPONSE"], says: "model not loaded" } },
    "text/plain",
  ],
  [
    "anthropic-type-in-capitals",
    "the type of the content is written in capitals, and the usage is missing",
    [],
    started({ usage: undefined }) + said + ended("end_turn", { usage: undefined }) + stop,
    { ...hello, inputTokens: null },
    "Text/Event-Stream; charset=UTF-8",
  ],
];

export const anthropicReplyQuirks = replyQuirks(["anthropic"], rows, counted);
