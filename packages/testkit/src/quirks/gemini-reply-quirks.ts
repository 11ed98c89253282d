import type { QuirkOutcome } from "./quirk.ts";
import { counted, cutInText, failed, hello, looked, replyQuirks, type ReplyRow } from "./reply-quirks.ts";

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 2, totalTokenCount: 11 };

function candidate(more: object): object {
  return { candidates: [{ index: 0, ...more }] };
}

function text(said: string, more: object = {}): object {
  return candidate({ content: { role: "model", parts: [{ text: said }] }, ...more });
}

const end = {
  ...candidate({ content: { role: "model", parts: [{ text: "" }] }, finishReason: "STOP" }),
  usageMetadata,
};
const call = { functionCall: { name: "lookup", args: { a: 1 } } };

const malformed: QuirkOutcome = { calls: [], failure: { codes: ["CUT_OFF"], says: "broke its reply off" } };

const rows: readonly ReplyRow[] = [
  [
    "gemini-usage-of-zeros-at-first",
    "the first event has a usage of zeros",
    ["CLIProxyAPI#4964"],
    event({ ...text("Hel"), usageMetadata: { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 } }) +
      event(text("lo")) +
      event(end),
  ],
  [
    "gemini-line-breaks",
    "lines end as those of Windows do",
    ["routstr-core#543"],
    (event(text("Hello")) + event(end)).replaceAll("\n", "\r\n"),
  ],
  [
    "gemini-malformed-call-empty-content",
    "a call is malformed, and the content is empty",
    ["vercel/ai#5039"],
    event(candidate({ content: {}, finishReason: "MALFORMED_FUNCTION_CALL" })),
    malformed,
  ],
  [
    "gemini-malformed-call-no-content",
    "a call is malformed, and there is no content",
    ["pydantic-ai#631", "pydantic-ai#3300", "kibana#227096"],
    event(
      candidate({ finishReason: "MALFORMED_FUNCTION_CALL", finishMessage: "Malformed function call: lookup(" }),
    ),
    malformed,
  ],
  [
    "gemini-malformed-call-signature",
    "a call is malformed, and the only part is a signature",
    ["sub2api#7081"],
    event(
      candidate({
        content: { role: "model", parts: [{ thoughtSignature: "c2ln" }] },
        finishReason: "MALFORMED_FUNCTION_CALL",
      }),
    ),
    malformed,
  ],
  [
    "gemini-malformed-call-parsed",
    "a call is malformed, and one that was parsed stands beside it",
    ["hermes-agent#83886"],
    event(candidate({ content: { role: "model", parts: [call] }, finishReason: "MALFORMED_FUNCTION_CALL" })),
    malformed,
  ],
  [
    "gemini-parts-as-object",
    "the list of parts is one part",
    ["vercel/ai#5039"],
    event(candidate({ content: { role: "model", parts: { text: "Hello" } } })) + event(end),
  ],
  [
    "gemini-content-as-text",
    "the content is a text",
    ["vercel/ai#5039"],
    event(candidate({ content: "Hello" })) + event(end),
  ],
  [
    "gemini-candidates-as-object",
    "the list of candidates is one candidate",
    ["vercel/ai#5039"],
    event({ candidates: { content: { parts: [{ text: "Hello" }] } } }) + event(end),
  ],
  [
    "gemini-null-parts",
    "the parts and the reason of the first event are null",
    ["pydantic-ai#631"],
    event(candidate({ content: { parts: null, role: "model" }, finishReason: null })) +
      event(text("Hello")) +
      event(end),
  ],
  [
    "gemini-unknown-part",
    "a part is of a type that is in no specification",
    ["sub2api#7081"],
    event(candidate({ content: { role: "model", parts: [{ x_part: { a: 1 } }, { text: "Hello" }] } })) + event(end),
  ],
  [
    "gemini-call-with-args-as-text",
    "the arguments of a call are a text",
    ["sub2api#7081"],
    event(candidate({ content: { parts: [{ functionCall: { name: "lookup", args: '{"a":1}' } }] } })) + event(end),
    looked,
  ],
  [
    "gemini-call-in-snake-case",
    "fields are written with underscores",
    ["sub2api#7081"],
    event({
      candidates: [
        { content: { parts: [{ function_call: { name: "lookup", args: { a: 1 } } }] }, finish_reason: "STOP" },
      ],
      usage_metadata: { prompt_token_count: 9, candidates_token_count: 2 },
    }),
    { ...looked, inputTokens: 9, outputTokens: 2 },
  ],
  [
    "gemini-usage-behind-the-end",
    "the usage comes behind the reason, without candidates",
    ["CLIProxyAPI#2531"],
    event(text("Hello", { finishReason: "STOP" })) + event({ usageMetadata }),
  ],
  [
    "gemini-usage-as-text",
    "counts of the usage are texts",
    ["CLIProxyAPI#2531"],
    event({
      ...text("Hello", { finishReason: "STOP" }),
      usageMetadata: { promptTokenCount: "9", candidatesTokenCount: "2" },
    }),
  ],
  [
    "gemini-signature-behind-the-text",
    "the last part is a signature alone",
    ["sub2api#7081"],
    event(text("Hello")) +
      event(candidate({ content: { parts: [{ thoughtSignature: "c2ln" }] }, finishReason: "STOP" })),
    hello,
  ],
  [
    "gemini-wrapped",
    "each event is wrapped in a response, as the vendor's own gateway for coders does",
    ["gemini-cli#29059"],
    event({ response: text("Hello") }) + event({ response: end }),
  ],
  [
    "gemini-list-of-events",
    "the events come as one list of JSON",
    ["vercel/ai#5039"],
    JSON.stringify([text("Hel"), text("lo"), end]),
    counted,
    "application/json",
  ],
  [
    "gemini-whole-reply",
    "a whole reply comes where a stream was asked for",
    ["opencode#43882"],
    JSON.stringify({ ...text("Hello", { finishReason: "STOP" }), usageMetadata }, null, 2),
    counted,
    "application/json",
  ],
  [
    "gemini-keep-alive",
    "words, empty objects and the end of chat completions come in between",
    ["gemini-cli#29059"],
    `data: ping\n\ndata: {}\n\n${event(text("Hello"))}${event(end)}data: [DONE]\n\n`,
  ],
  [
    "gemini-done-without-reason",
    "the stream says that it is done, and never how it ended",
    ["gemini-cli#29059"],
    `${event(text("Hello"))}data: [DONE]\n\n`,
    hello,
  ],
  [
    "gemini-cut-off",
    "the stream is over in the middle of a text",
    ["gemini-cli#29059"],
    event(text("Hel")),
    cutInText,
  ],
  [
    "gemini-cut-off-in-an-event",
    "the stream is over in the middle of an event",
    ["gemini-cli#29059"],
    `${event(text("Hel"))}data: {"candidates":[{"con`,
    cutInText,
  ],
  [
    "gemini-no-blank-line-at-the-end",
    "the body ends right behind the last event",
    ["gemini-cli#29059"],
    event(text("Hello")) + event(end).trimEnd(),
  ],
  [
    "gemini-error-as-text",
    "an event has the error as a text",
    ["lemonade#2826"],
    event({ error: "model not loaded" }),
    { failure: { codes: failed, says: "model not loaded" } },
  ],
  [
    "gemini-error-with-code-as-text",
    "the code of an error is a text",
    ["litellm#40243"],
    event(text("Hel")) + event({ error: { code: "500", message: "the upstream is gone" } }),
    { text: "Hel", failure: { codes: failed, says: "the upstream is gone", isRetryable: false } },
  ],
  [
    "gemini-error-in-a-200",
    "an error comes as a list of one, with the status of a success",
    ["lemonade#2826"],
    '[{"error":{"code":500,"message":"model not loaded","status":"INTERNAL"}}]',
    { failure: { codes: failed, says: "model not loaded" } },
    "application/json",
  ],
  [
    "gemini-words-in-a-200",
    "words come in place of a reply",
    ["lemonade#2826"],
    "Internal error: model not loaded",
    { failure: { codes: [...failed, "BAD_RESPONSE"], says: "model not loaded" } },
    "text/plain",
  ],
];

export const geminiReplyQuirks = replyQuirks(["gemini"], rows, counted);
