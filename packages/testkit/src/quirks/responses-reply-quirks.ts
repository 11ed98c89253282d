import { counted, cutInText, failed, hello, looked, replyQuirks, type ReplyRow } from "./reply-quirks.ts";

const done = "data: [DONE]\n\n";
function event(type: string, more: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: 0, ...more })}\n\n`;
}

const head = { id: "resp_1", object: "response", created_at: 1, model: "m" };
const created = event("response.created", { response: { ...head, status: "in_progress", output: [] } });
const usage = { input_tokens: 9, output_tokens: 2, total_tokens: 11 };

function completed(more: object = {}): string {
  return event("response.completed", { response: { ...head, status: "completed", output: [], usage, ...more } });
}

function message(text: string, more: object = {}): object {
  const content = [{ type: "output_text", text, annotations: [] }];
  return { type: "message", id: "msg_1", role: "assistant", status: "completed", content, ...more };
}

function call(input: string, more: object = {}): object {
  const plain = { type: "function_call", id: "fc_1", call_id: "call_1", name: "lookup", status: "completed" };
  return { ...plain, arguments: input, ...more };
}

function added(item: object, more: object = {}): string {
  return event("response.output_item.added", { output_index: 0, item, ...more });
}

function itemDone(item: object, more: object = {}): string {
  return event("response.output_item.done", { output_index: 0, item, ...more });
}

function text(delta: string, more: object = {}): string {
  return event("response.output_text.delta", {
    item_id: "msg_1",
    output_index: 0,
    content_index: 0,
    delta,
    ...more,
  });
}

function callText(delta: string, more: object = {}): string {
  return event("response.function_call_arguments.delta", { item_id: "fc_1", output_index: 0, delta, ...more });
}

function callTextDone(input: string, more: object = {}): string {
  const whole = { item_id: "fc_1", output_index: 0, arguments: input };
  return event("response.function_call_arguments.done", { ...whole, ...more });
}

const openMessage = added(message("", { content: [], status: "in_progress" }));
const openCall = added(call(""));
const said = openMessage + text("Hel") + text("lo") + itemDone(message("Hello"));
const input = '{"a":1}';

const rows: readonly ReplyRow[] = [
  [
    "responses-two-lives",
    "the whole response comes twice in one stream",
    ["llm-gateway#2072"],
    (created + said + completed()).repeat(2),
  ],
  [
    "responses-call-once-more-at-the-end",
    "the last event has a call once more that was added before",
    ["new-api#6278"],
    created +
      added(call(""), { output_index: 1 }) +
      callText(input, { output_index: 1 }) +
      itemDone(call(input), { output_index: 1 }) +
      completed({ output: [call(input)] }),
    looked,
  ],
  [
    "responses-texts-joined-at-the-end",
    "the last event has one message of what several said",
    ["cc-switch#6793"],
    created +
      openMessage +
      text("Hel") +
      itemDone(message("Hel")) +
      added(message("", { id: "msg_2", content: [] }), { output_index: 1 }) +
      text("lo", { item_id: "msg_2", output_index: 1 }) +
      itemDone(message("lo", { id: "msg_2" }), { output_index: 1 }) +
      completed({ output: [message("Hello", { id: "msg_9" })] }),
    hello,
  ],
  [
    "responses-text-in-the-last-event",
    "the text comes in the last event alone",
    ["codex-lb#504"],
    created + completed({ output: [message("Hello")] }),
    hello,
  ],
  [
    "responses-keep-alive-without-data",
    "events that keep the stream alive have no data",
    ["OmniRoute#1146", "AIClient2API#695"],
    `${created}event: keepalive\n\n: keepalive\n\n${said}event: keepalive\ndata:\n\n${completed()}`,
  ],
  [
    "responses-fresh-ids",
    "each event has an item id of its own, and the output index stays",
    ["litellm#30071", "litellm#30072", "vercel/ai#18548", "copilot-api#72", "cherry-studio#10781", "vscode#294662"],
    created +
      added(message("", { id: "a", content: [] })) +
      text("Hel", { item_id: "b" }) +
      text("lo", { item_id: "c" }) +
      itemDone(message("Hello", { id: "d" })) +
      completed(),
  ],
  [
    "responses-fresh-ids-of-a-call",
    "each event of a call has an item id of its own",
    ["litellm#30071", "vscode#294662"],
    created +
      added(call("", { id: "a" })) +
      callText('{"a"', { item_id: "b" }) +
      callText(":1}", { item_id: "c" }) +
      callTextDone(input, { item_id: "d" }) +
      itemDone(call(input, { id: "e" })) +
      completed(),
    looked,
  ],
  [
    "responses-uuids",
    "ids of messages are UUIDs without a prefix",
    ["cherry-studio#20940"],
    created +
      added(message("", { id: "0b6f3f6e-0000-4000-8000-000000000001", content: [] })) +
      text("Hello", { item_id: "0b6f3f6e-0000-4000-8000-000000000001" }) +
      itemDone(message("Hello", { id: "0b6f3f6e-0000-4000-8000-000000000001" })) +
      completed(),
    hello,
  ],
  [
    "responses-ciphertext-deltas",
    "the deltas of the arguments are encrypted, and only what is done is plain",
    ["opencodex#995"],
    created +
      openCall +
      callText("gAAAAABo", { obfuscation: "x" }) +
      callText("Zz9=", { obfuscation: "y" }) +
      callTextDone(input) +
      itemDone(call(input)) +
      completed(),
    looked,
  ],
  [
    "responses-arguments-only-done",
    "the arguments come with their end alone, and the item has none",
    ["sub2api#6629", "opencode#44862", "opencodex#4652"],
    created + openCall + callTextDone(input) + itemDone(call("")) + completed(),
    looked,
  ],
  [
    "responses-arguments-only-deltas",
    "the arguments come in deltas, and the item that is done has none",
    ["opencode#44862"],
    created + openCall + callText('{"a"') + callText(":1}") + itemDone(call("")) + completed(),
    looked,
  ],
  [
    "responses-arguments-without-item-done",
    "the arguments are done, and the item never is",
    ["sub2api#6629"],
    created + openCall + callText(input) + callTextDone(input) + completed(),
    looked,
  ],
  [
    "responses-arguments-contradicted",
    "the arguments that are done are others than the deltas",
    ["kimi-code#1455"],
    created + openCall + callText('{"a":2') + callTextDone(input) + itemDone(call(input)) + completed(),
    looked,
  ],
  [
    "responses-arguments-as-object",
    "the arguments of a call that is done are an object",
    ["opencodex#4652"],
    created + itemDone({ ...call(""), arguments: { a: 1 } }) + completed(),
    looked,
  ],
  [
    "responses-call-without-item-id",
    "a call has a call id and no id of its item",
    ["opencodex#995"],
    created + added(call("", { id: undefined })) + itemDone(call(input, { id: undefined })) + completed(),
    looked,
  ],
  [
    "responses-call-without-status",
    "a call that is done has no status",
    ["opencodex#995"],
    created + openCall + callText(input) + itemDone(call(input, { status: undefined })) + completed(),
    looked,
  ],
  [
    "responses-call-only-completed",
    "a call stands in the response that is completed, and nowhere else",
    ["gemini-web2api#57"],
    created + completed({ output: [call(input)] }),
    looked,
  ],
  [
    "responses-text-only-done",
    "the text comes with its end alone",
    ["gemini-web2api#57"],
    created +
      event("response.output_text.done", { item_id: "msg_1", output_index: 0, content_index: 0, text: "Hello" }) +
      completed(),
  ],
  [
    "responses-text-only-item-done",
    "the text comes with the item that is done alone",
    ["gemini-web2api#57"],
    created + itemDone(message("Hello")) + completed(),
  ],
  [
    "responses-text-only-completed",
    "the text stands in the response that is completed, and nowhere else",
    ["gemini-web2api#57"],
    created + completed({ output: [message("Hello")] }),
  ],
  [
    "responses-text-said-by-all",
    "the text comes in deltas, with its end, with the item and with the response",
    ["Fabric#1686", "bifrost#2251"],
    created +
      openMessage +
      text("Hello") +
      event("response.output_text.done", { item_id: "msg_1", output_index: 0, content_index: 0, text: "Hello" }) +
      itemDone(message("Hello")) +
      completed({ output: [message("Hello")] }),
  ],
  [
    "responses-no-text-done",
    "the end of the text is missing",
    ["ogx#5309"],
    created + openMessage + text("Hel") + text("lo") + completed({ output: [message("Hello")] }),
  ],
  [
    "responses-bare-deltas",
    "deltas have no index and no item before them, and the response has no id and no model",
    ["llm-rosetta#56"],
    event("response.output_text.delta", { delta: "Hel" }) +
      event("response.output_text.delta", { delta: "lo" }) +
      event("response.completed", { response: { status: "completed", usage } }),
  ],
  [
    "responses-empty-output",
    "the response that is completed has an empty output",
    ["litellm#32724", "new-api#4362"],
    created + said + completed({ output: [] }),
  ],
  [
    "responses-no-output-and-usage",
    "the response that is completed has neither output nor usage",
    ["9router#705"],
    created + said + event("response.completed", { response: { id: "resp_1", status: "completed" } }),
    { ...hello, inputTokens: null },
  ],
  [
    "responses-bare-completed",
    "the end has no response",
    ["9router#705"],
    created + said + event("response.completed"),
    hello,
  ],
  [
    "responses-null-usage",
    "the response that begins has null for its usage",
    ["cline#8836"],
    event("response.created", { response: { ...head, usage: null, output: null } }) + said + completed(),
  ],
  [
    "responses-part-of-usage",
    "the usage has one count, and no details",
    ["cline#8836"],
    created + said + completed({ usage: { input_tokens: 9 } }),
    { ...hello, inputTokens: 9, outputTokens: null },
  ],
  [
    "responses-head-of-another-type",
    "the response that begins has a date as a text, and no model",
    ["llm-rosetta#56"],
    event("response.created", { response: { id: "resp_1", created_at: "2026-11-29T08:00:00Z" } }) +
      said +
      completed(),
  ],
  [
    "responses-reasoning-refused",
    "a summary of the reasoning comes without the part that it belongs to",
    ["cherry-studio#20940"],
    created +
      added({ type: "reasoning", id: "rs_1", summary: [] }) +
      event("response.reasoning_summary_text.delta", {
        item_id: "rs_1",
        output_index: 0,
        summary_index: 0,
        delta: "Hm",
      }) +
      itemDone({ type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Hm" }] }) +
      added(message("", { content: [] }), { output_index: 1 }) +
      text("Hello", { output_index: 1 }) +
      itemDone(message("Hello"), { output_index: 1 }) +
      completed(),
    { ...counted, reasoning: "Hm" },
  ],
  [
    "responses-reasoning-without-index",
    "a summary of the reasoning has no index",
    ["cherry-studio#20940"],
    created +
      added({ type: "reasoning", id: "rs_1" }) +
      event("response.reasoning_summary_text.delta", { item_id: "rs_1", output_index: 0, delta: "Hm" }) +
      itemDone({ type: "reasoning", id: "rs_1" }) +
      added(message("", { content: [] }), { output_index: 1 }) +
      text("Hello", { output_index: 1 }) +
      itemDone(message("Hello"), { output_index: 1 }) +
      completed(),
    { ...hello, reasoning: "Hm" },
  ],
  [
    "responses-reasoning-text",
    "the reasoning comes as it is, and not as a summary",
    ["cherry-studio#20940"],
    created +
      added({ type: "reasoning", id: "rs_1", summary: [] }) +
      event("response.reasoning_text.delta", { item_id: "rs_1", output_index: 0, content_index: 0, delta: "Hm" }) +
      itemDone({ type: "reasoning", id: "rs_1", summary: [] }) +
      added(message("", { content: [] }), { output_index: 1 }) +
      text("Hello", { output_index: 1 }) +
      itemDone(message("Hello"), { output_index: 1 }) +
      completed(),
    hello,
  ],
  [
    "responses-unknown-events",
    "events and items of types that are in no specification come in between",
    ["cherry-studio#20940"],
    created +
      event("keepalive") +
      event("response.x_progress", { percent: 50 }) +
      added({ type: "x_item", id: "x" }, { output_index: 7 }) +
      itemDone({ type: "x_item", id: "x" }, { output_index: 7 }) +
      said +
      completed(),
  ],
  [
    "responses-keep-alive",
    "words and empty objects come in between",
    [],
    `${created}data: ping\n\ndata: {}\n\n: comment\n\n${said}${completed()}`,
  ],
  [
    "responses-error-without-code",
    "an error has null for its code and its parameter",
    ["vercel/ai#14932"],
    created + event("error", { code: null, message: "Invalid arguments passed to the model.", param: null }),
    { failure: { codes: [...failed, "BAD_REQUEST"], says: "Invalid arguments passed to the model." } },
  ],
  [
    "responses-error-at-top-level",
    "the fields of an error stand beside its type, and a sequence number is missing",
    ["Floway#330"],
    `data: ${JSON.stringify({ type: "error", code: "internal_error", message: "the model crashed" })}\n\n`,
    { failure: { codes: failed, says: "the model crashed" } },
  ],
  [
    "responses-error-nested",
    "the fields of an error stand in an object, as the vendor sends it over a socket",
    ["Floway#330"],
    created + event("error", { error: { type: "server_error", code: null, message: "the model crashed" } }),
    { failure: { codes: failed, says: "the model crashed" } },
  ],
  [
    "responses-chat-error",
    "an error comes in the middle as chat completions have it",
    ["litellm#40243"],
    `${created}${openMessage}${text("Hel")}data: {"error":{"message":"the upstream is gone","code":500}}\n\n`,
    { text: "Hel", failure: { codes: failed, says: "the upstream is gone", isRetryable: false } },
  ],
  [
    "responses-error-as-text",
    "an event has an error as a text",
    ["litellm#40243"],
    `${created}data: {"error":"model not loaded"}\n\n`,
    { failure: { codes: failed, says: "model not loaded" } },
  ],
  [
    "responses-failed",
    "the response failed with an error",
    ["agent-framework-go#546"],
    created +
      event("response.failed", {
        response: { ...head, error: { code: "server_error", message: "the model crashed" } },
      }),
    { failure: { codes: failed, says: "the model crashed" } },
  ],
  [
    "responses-failed-as-text",
    "the response failed with an error that is a text, and no sequence number",
    ["agent-framework-go#546"],
    `${created}data: {"type":"response.failed","response":{"error":"the model crashed"}}\n\n`,
    { failure: { codes: failed, says: "the model crashed" } },
  ],
  [
    "responses-failed-without-error",
    "the response failed without an error",
    ["langchain#39178"],
    created + event("response.failed", { response: { ...head, status: "failed", error: null } }),
    { failure: { codes: failed, says: "does not say why" } },
  ],
  [
    "responses-cancelled",
    "the response was cancelled",
    ["langchain#39178"],
    created +
      openMessage +
      text("Hel") +
      event("response.cancelled", { response: { ...head, status: "cancelled" } }),
    cutInText,
  ],
  [
    "responses-done-without-end",
    "the stream says that it is done, and the response never ends",
    ["Bamboo-agent#405", "9router#1648"],
    created + said + done,
    hello,
  ],
  [
    "responses-done-without-end-behind-a-call",
    "the stream says that it is done behind a call",
    ["9router#1648"],
    created + openCall + callText(input) + itemDone(call(input)) + done,
    looked,
  ],
  [
    "responses-done-in-a-text",
    "the stream says that it is done behind a text that never ended",
    ["9router#1648"],
    created + openMessage + text("Hello") + done,
    hello,
  ],
  [
    "responses-incomplete",
    "the response ends at the limit of its output",
    ["langchain#33840"],
    created +
      openMessage +
      text("Hel") +
      itemDone(message("Hel", { status: "incomplete" })) +
      event("response.incomplete", {
        response: { ...head, status: "incomplete", incomplete_details: { reason: "max_output_tokens" }, usage },
      }),
    { text: "Hel", finishReason: "length" },
  ],
  [
    "responses-incomplete-as-completed",
    "the end says completed, and its status that it is not",
    ["langchain#33840"],
    created +
      openMessage +
      text("Hel") +
      completed({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }),
    { text: "Hel", finishReason: "length" },
  ],
  [
    "responses-cut-off",
    "the stream is over in the middle of a text",
    ["9router#1648"],
    created + openMessage + text("Hel"),
    cutInText,
  ],
  [
    "responses-cut-off-in-an-event",
    "the stream is over in the middle of an event",
    ["gemini-cli#29059"],
    `${created}${openMessage}${text("Hel")}data: {"type":"response.output_te`,
    cutInText,
  ],
  [
    "responses-no-blank-line-at-the-end",
    "the body ends right behind the last event",
    ["openai-node#2725"],
    created + said + completed().trimEnd(),
  ],
  [
    "responses-whole-reply",
    "a whole response comes where a stream was asked for",
    ["opencode#43882"],
    JSON.stringify({ ...head, status: "completed", output: [message("Hello"), call(input)], usage }, null, 2),
    { text: "Hello", ...looked, inputTokens: 9 },
    "application/json",
  ],
  [
    "responses-error-in-a-200",
    "an error comes as JSON, with the status of a success",
    ["lemonade#2826"],
    '{"error":{"message":"model not loaded","type":"not_loaded"}}',
    { failure: { codes: failed, says: "model not loaded" } },
    "application/json",
  ],
  [
    "responses-words-in-a-200",
    "words come in place of a reply",
    ["lemonade#2826"],
    "Internal error: model not loaded",
    { failure: { codes: [...failed, "BAD_RESPONSE"], says: "model not loaded" } },
    "text/plain",
  ],
  [
    "responses-events-as-plain-text",
    "the events come as plain text",
    ["hyper-express#268"],
    created + said + completed(),
    counted,
    "text/plain; charset=utf-8",
  ],
  [
    "responses-type-in-capitals",
    "the type of the content is written in capitals, and the response failed without an error",
    [],
    created + event("response.failed", { response: { ...head, error: null } }),
    { failure: { codes: failed, says: "does not say why" } },
    "Text/Event-Stream; charset=UTF-8",
  ],
];

export const responsesReplyQuirks = replyQuirks(["openai-responses"], rows, counted);
