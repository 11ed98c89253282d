import { cut, cutInText, failed, hello, looked, replyQuirks, type ReplyRow } from "./reply-quirks.ts";

const done = "data: [DONE]\n\n";

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function chunk(delta: object, more: object = {}): string {
  return event({ id: "c", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: null, ...more }] });
}

function ended(reason = "stop"): string {
  return chunk({}, { finish_reason: reason });
}

/** As nearly all servers send it, with some members replaced. */
function call(changed: object): string {
  const plain = { index: 0, id: "call_1", type: "function", function: { name: "lookup", arguments: '{"a":1}' } };
  return chunk({ tool_calls: [{ ...plain, ...changed }] });
}

const rows: readonly ReplyRow[] = [
  [
    "usage-without-choices",
    "the last chunk has the usage and no choices",
    ["openclaw#15488", "vercel/ai#7417"],
    chunk({ content: "Hello" }) +
      ended() +
      event({ id: "c", usage: { prompt_tokens: 9, completion_tokens: 2 } }) +
      done,
    { ...hello, inputTokens: 9, outputTokens: 2 },
  ],
  [
    "usage-with-null-choices",
    "the last chunk has the usage, and null in place of choices",
    ["openclaw#15488"],
    chunk({ content: "Hello" }) + ended() + event({ choices: null, usage: { prompt_tokens: 9 } }) + done,
    { ...hello, inputTokens: 9 },
  ],
  [
    "arguments-as-object",
    "the arguments of a call are an object and no text",
    ["oh-my-pi#1779", "llama.cpp#20198"],
    call({ function: { name: "lookup", arguments: { a: 1 } } }) + ended("tool_calls") + done,
    looked,
  ],
  [
    "call-without-function",
    "name and arguments stand beside the id of a call",
    ["oh-my-pi#1779"],
    call({ function: undefined, name: "lookup", arguments: '{"a":1}' }) + ended("tool_calls") + done,
    looked,
  ],
  [
    "call-index-as-text",
    "the index of a call is a text",
    ["vercel/ai#7417"],
    call({ index: "0" }) + ended("tool_calls") + done,
    looked,
  ],
  [
    "call-without-index",
    "a call has no index",
    ["vercel/ai#7417"],
    call({ index: undefined }) + ended("tool_calls") + done,
    looked,
  ],
  [
    "call-of-another-type",
    "a call has a type that is no function, or null",
    ["vercel/ai#7417"],
    call({ type: "tool" }) + ended("tool_calls") + done,
    looked,
  ],
  [
    "calls-as-object",
    "the list of calls is one call",
    ["llama.cpp#20198"],
    chunk({ tool_calls: { id: "call_1", function: { name: "lookup", arguments: '{"a":1}' } } }) +
      ended("tool_calls") +
      done,
    looked,
  ],
  [
    "function-call",
    "a call comes in the field that stood there before calls had ids",
    ["llama_index#18313", "autogen#1178"],
    chunk({ function_call: { name: "lookup", arguments: '{"a":1}' } }) + ended("function_call") + done,
    looked,
  ],
  [
    "role-of-another",
    "the role of a delta is empty, or none of the protocol's",
    ["vercel/ai#7417"],
    chunk({ role: "", content: "Hel" }) + chunk({ role: "model", content: "lo" }) + ended() + done,
  ],
  [
    "head-of-another-type",
    "id and created have other types, and the index of the choice is missing",
    ["vercel/ai#7417"],
    event({ id: 7, created: "now", model: null, choices: [{ delta: { content: "Hello" } }] }) + ended() + done,
  ],
  [
    "keep-alive-objects",
    "empty objects and others that are no chunks come in between",
    ["openclaw#15488"],
    event({}) +
      chunk({ content: "Hello" }) +
      event({ type: "ping" }) +
      event({ object: "keepalive", choices: [] }) +
      ended() +
      done,
  ],
  [
    "keep-alive-words",
    "words that are no JSON come in between",
    ["opencode#43882"],
    `data: PROCESSING\n\n${chunk({ content: "Hello" })}data: ping\n\n${ended()}${done}`,
  ],
  [
    "keep-alive-with-a-message",
    "an event of another type, with a message, comes in between",
    [],
    event({ type: "notice", message: "Still at work." }) + chunk({ content: "Hello" }) + ended() + done,
  ],
  [
    "message-in-place-of-deltas",
    "a chunk has the whole message",
    ["opencode#43882"],
    event({ choices: [{ message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }] }) + done,
  ],
  [
    "message-behind-deltas",
    "the last chunk repeats the whole message",
    ["opencode#43882"],
    chunk({ content: "Hello" }) +
      event({ choices: [{ message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }] }) +
      done,
  ],
  [
    "pieces-as-messages",
    "each piece comes as a message in place of a delta",
    [],
    event({ choices: [{ message: { role: "assistant", content: "Hel" } }] }) +
      event({ choices: [{ message: { content: "lo" } }] }) +
      ended() +
      done,
  ],
  [
    "pieces-as-text",
    "each piece comes as the text of a choice",
    [],
    event({ choices: [{ text: "Hel", index: 0 }] }) +
      event({ choices: [{ text: "lo", index: 0 }] }) +
      ended() +
      done,
  ],
  [
    "calls-in-the-last-message",
    "the text comes in deltas, and the last chunk repeats it with calls",
    [],
    chunk({ content: "Hello" }) +
      event({
        choices: [
          {
            message: {
              content: "Hello",
              tool_calls: [{ id: "call_1", type: "function", function: { name: "lookup", arguments: { a: 1 } } }],
            },
            finish_reason: "tool_calls",
          },
        ],
      }) +
      done,
    { text: "Hello", ...looked },
  ],
  [
    "message-beside-an-empty-delta",
    "an empty delta stands beside the whole message",
    [],
    event({ choices: [{ delta: {}, message: { content: "Hello" }, finish_reason: "stop" }] }) + done,
  ],
  [
    "call-said-twice",
    "a call comes in the field of today and in that of before",
    [],
    chunk({
      tool_calls: [{ index: 0, id: "call_1", function: { name: "lookup", arguments: '{"a":1}' } }],
      function_call: { name: "lookup", arguments: '{"a":1}' },
    }) +
      ended("tool_calls") +
      done,
    looked,
  ],
  [
    "empty-reasons",
    "each chunk has an empty reason, and the stream is cut off",
    ["sglang#3912", "ollama#4357", "opencrabs#1499"],
    chunk({ content: "Hel" }, { finish_reason: "" }) + call({}),
    { ...cutInText, calls: [] },
  ],
  [
    "empty-errors",
    "each chunk has an error without anything in it",
    [],
    event({ error: {}, choices: [{ index: 0, delta: { content: "Hello" } }] }) +
      event({ error: { code: 0, message: "" }, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }) +
      done,
  ],
  [
    "arguments-behind-an-object",
    "the arguments of a call begin with an empty object, and come as text behind it",
    ["ogx#5462"],
    call({ function: { name: "lookup", arguments: {} } }) +
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] }) +
      ended("tool_calls") +
      done,
    looked,
  ],
  [
    "usage-erased",
    "an empty usage comes behind the usage",
    ["CLIProxyAPI#3279"],
    chunk({ content: "Hello" }) +
      ended() +
      event({ choices: [], usage: { prompt_tokens: 9 } }) +
      event({ choices: [], usage: {} }) +
      done,
    { ...hello, inputTokens: 9 },
  ],
  [
    "words-without-a-blank-line",
    "the only event is words, and ends with the body",
    [],
    "data: upstream is overloaded",
    { failure: { codes: failed, says: "upstream is overloaded" } },
  ],
  [
    "whole-reply",
    "a whole reply comes where a stream was asked for",
    ["opencode#43882"],
    JSON.stringify(
      {
        choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
        usage: { prompt_tokens: 3 },
      },
      null,
      2,
    ),
    { ...hello, inputTokens: 3 },
  ],
  [
    "content-as-parts",
    "the content of a delta is a list of texts",
    ["recorded/mistral"],
    chunk({ content: [{ type: "text", text: "Hel" }, "lo"] }) + ended() + done,
  ],
  [
    "no-blank-line-at-the-end",
    "the body ends right behind the last event",
    ["gemini-cli#29059", "openai-node#2725"],
    chunk({ content: "Hello" }) + ended().trimEnd(),
  ],
  [
    "done-without-a-reason",
    "the stream says that it is done and never how it ended",
    ["opencode#43882"],
    chunk({ content: "Hello" }) + done,
  ],
  [
    "done-without-a-reason-behind-a-call",
    "the stream says that it is done behind a call and never how it ended",
    ["opencode#43882"],
    call({}) + done,
    looked,
  ],
  [
    "cut-off",
    "the stream is over in the middle of a text",
    ["gemini-cli#29059"],
    chunk({ content: "Hel" }),
    cutInText,
  ],
  [
    "cut-off-in-an-event",
    "the stream is over in the middle of an event",
    ["gemini-cli#29059"],
    `${chunk({ content: "Hel" })}data: {"choices":[{"del`,
    cutInText,
  ],
  [
    "cut-off-in-reasoning",
    "the stream is over behind the first of what was reasoned",
    ["pi#11879"],
    chunk({ reasoning_content: "Hm" }),
    { text: "", failure: { ...cut, isRetryable: true } },
  ],
  [
    "reason-error",
    'half a sentence ends for the reason "error"',
    ["pi#10487"],
    chunk({ content: "Hel" }) + ended("error") + done,
    { text: "Hel", failure: { codes: ["CUT_OFF"], says: "broke its reply off", isRetryable: false } },
  ],
  [
    "reason-error-at-once",
    'nothing but the reason "error" comes',
    ["pi#10487"],
    ended("error") + done,
    { failure: { codes: ["CUT_OFF"], says: "broke its reply off", isRetryable: true } },
  ],
  [
    "error-as-bare-line",
    "an error stands alone on a line, as a text",
    ["lemonade#2826"],
    '{"error":"model not loaded"}\n',
    { failure: { codes: failed, says: "model not loaded" } },
  ],
  [
    "error-as-detail",
    'an event has the error under "detail"',
    ["lemonade#2826"],
    event({ detail: "no such model here" }),
    { failure: { codes: failed, says: "no such model here" } },
  ],
  [
    "error-as-list-of-details",
    "an event has a list of what was wrong with the request",
    ["lemonade#2826"],
    event({ detail: [{ loc: ["body", "tools"], msg: "tools are not supported", type: "value_error" }] }),
    { failure: { codes: failed, says: "tools are not supported" } },
  ],
  [
    "error-as-text",
    "an event has the error as a text",
    ["lemonade#2826"],
    event({ error: "model not loaded" }),
    { failure: { codes: failed, says: "model not loaded" } },
  ],
  [
    "error-as-words",
    "words stand in place of the events",
    ["lemonade#2826"],
    "Internal error: model not loaded",
    { failure: { codes: failed, says: "model not loaded" } },
  ],
  [
    "error-object",
    "an event is the error itself",
    ["Qwen3#1321"],
    event({ object: "error", message: "model not loaded", type: "NotFoundError", code: 404 }),
    { failure: { codes: ["BAD_REQUEST"], says: "model not loaded", isRetryable: false } },
  ],
  [
    "busy-at-once",
    "the first event says that the servers are busy",
    ["pi#10543", "pi#10842"],
    event({ error: { message: "servers are busy", type: "server_busy" } }),
    { failure: { codes: ["OVERLOADED"], says: "servers are busy", isRetryable: true } },
  ],
  [
    "keep-alive-comment-as-data",
    "comments that keep a stream alive come as the data of events",
    ["opencode#50871", "llm-gateway#2053"],
    `data: : OPENROUTER PROCESSING\n\n${chunk({ content: "Hel" })}data: : keepalive\n\n${chunk({ content: "lo" })}${ended()}${done}`,
  ],
  [
    "keep-alive-of-no-data",
    "events without data come in between, and with empty data",
    ["OmniRoute#1146", "openai-python#2722"],
    `event: keepalive\n\n${chunk({ content: "Hello" })}: ping\n\ndata:\n\n${ended()}${done}`,
  ],
  [
    "comments-behind-the-end",
    "comments stand between the last chunk and the end",
    ["OmniRoute#7031"],
    `${chunk({ content: "Hello" })}${ended()}: cache-hit=false\n: tokens-out=37\n${done}`,
  ],
  [
    "reason-in-camel-case",
    "the reason stands under another name, and null where it belongs",
    ["llmcord#84"],
    chunk({ content: "Hello" }) + chunk({}, { finishReason: "stop" }),
  ],
  [
    "placeholder-of-arguments",
    "the arguments of a call begin with the text of an empty object",
    ["autogen#7549"],
    call({ function: { name: "lookup", arguments: "{}" } }) +
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] }) +
      ended("tool_calls") +
      done,
    looked,
  ],
  [
    "arguments-null-at-first",
    "the arguments of a call are null in its first chunk",
    ["ogx#5462"],
    call({ function: { name: "lookup", arguments: null } }) +
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] }) +
      ended("tool_calls") +
      done,
    looked,
  ],
  [
    "arguments-begin-beside-the-name",
    "the first brace of the arguments comes beside the name",
    ["req_llm#801"],
    call({ function: { name: "lookup", arguments: "{" } }) +
      chunk({ tool_calls: [{ index: 0, function: { arguments: '"a":1' } }] }) +
      chunk({ tool_calls: [{ index: 0, function: { arguments: "}" } }] }) +
      ended("tool_calls") +
      done,
    looked,
  ],
  [
    "id-in-each-chunk",
    "id, type and name of a call are repeated in each chunk",
    ["SillyTavern#5948", "litellm#20480"],
    call({ function: { name: "lookup", arguments: '{"a"' } }) +
      call({ function: { name: "lookup", arguments: ":1}" } }) +
      ended("tool_calls") +
      done,
    looked,
  ],
  [
    "empty-id-in-later-chunks",
    "the id of a call is empty in all chunks but the first",
    ["deepchat#355"],
    call({ function: { name: "lookup", arguments: '{"a"' } }) +
      chunk({ tool_calls: [{ index: 0, id: "", type: "function", function: { arguments: ":1}" } }] }) +
      ended("tool_calls") +
      done,
    looked,
  ],
  [
    "summary-of-a-call",
    "the last chunk repeats a call, with its arguments encoded twice",
    ["litellm#20480"],
    call({ function: { name: "lookup", arguments: '{"a"' } }) +
      call({ function: { arguments: ":1}" } }) +
      call({ function: { name: "lookup", arguments: JSON.stringify('{"a":1}') } }) +
      ended("tool_calls") +
      done,
    looked,
  ],
  [
    "empty-arguments-at-the-end",
    "the last chunk has empty arguments of a call beside the reason",
    ["vercel/ai#3953"],
    call({}) +
      chunk({ tool_calls: [{ index: 0, function: { arguments: "" } }] }, { finish_reason: "tool_calls" }) +
      done,
    looked,
  ],
  [
    "white-space-behind-arguments",
    "white space comes behind whole arguments",
    ["OpenRouterTeam/ai-sdk-provider#489"],
    call({}) +
      chunk({ tool_calls: [{ index: 0, function: { arguments: " " } }] }) +
      chunk({ tool_calls: [{ index: 0, function: { arguments: "\n" } }] }) +
      ended("tool_calls") +
      done,
    looked,
  ],
  [
    "reason-twice",
    "the reason comes once more beside the usage",
    ["hass_local_openai_llm#92"],
    call({}) +
      ended("tool_calls") +
      event({
        choices: [{ index: 0, delta: { content: "" }, finish_reason: "tool_calls" }],
        usage: { prompt_tokens: 9, completion_tokens: 2 },
      }) +
      done,
    { ...looked, inputTokens: 9, outputTokens: 2 },
  ],
  [
    "one-id-for-two-calls",
    "two calls of a reply have the same id",
    ["nanobot#3943"],
    chunk({
      tool_calls: [
        { index: 0, id: "call_1", function: { name: "lookup", arguments: '{"a":1}' } },
        { index: 1, id: "call_1", function: { name: "lookup", arguments: '{"a":2}' } },
      ],
    }) +
      ended("tool_calls") +
      done,
    {
      calls: [
        ["lookup", { a: 1 }],
        ["lookup", { a: 2 }],
      ],
      finishReason: "tool-calls",
    },
  ],
  [
    "usage-in-each-chunk",
    "each chunk has the usage until then, at first nothing but zeros",
    ["cline#11304", "CLIProxyAPI#3077"],
    event({
      choices: [{ delta: { content: "Hel" } }],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    }) +
      event({ choices: [{ delta: { content: "lo" } }], usage: { prompt_tokens: 9, completion_tokens: 1 } }) +
      event({
        choices: [{ delta: {}, finish_reason: "stop" }],
        usage: { prompt_tokens: 9, completion_tokens: 2 },
      }) +
      done,
    { ...hello, inputTokens: 9, outputTokens: 2 },
  ],
  [
    "usage-null-in-each-chunk",
    "each chunk but the last has null for the usage",
    ["CLIProxyAPI#3221"],
    event({ choices: [{ delta: { content: "Hello" } }], usage: null }) +
      event({
        choices: [{ delta: {}, finish_reason: "stop" }],
        usage: { prompt_tokens: 9, completion_tokens: 2 },
      }) +
      done,
    { ...hello, inputTokens: 9, outputTokens: 2 },
  ],
  [
    "usage-beside-the-reason",
    "the usage stands in the chunk of the reason, beside a role and a null content",
    ["odysseus#1703"],
    chunk({ content: "Hello" }) +
      event({
        choices: [{ delta: { role: "assistant", content: null }, finish_reason: "stop" }],
        usage: { prompt_tokens: 9, completion_tokens: 2 },
      }) +
      done,
    { ...hello, inputTokens: 9, outputTokens: 2 },
  ],
  [
    "thinking-as-parts",
    "the content of a delta is a list of what was thought, and then of texts",
    ["openclaw#68418", "hermes-agent#4748", "symfony/ai#2422"],
    chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm" }] }] }) +
      chunk({ content: [{ type: "text", text: "Hello" }] }) +
      ended() +
      done,
    { ...hello, reasoning: "Hm" },
  ],
  [
    "references-as-parts",
    "the content of a delta is a list with references",
    ["meilisearch#6327"],
    chunk({
      content: [
        { type: "reference", reference_ids: [1] },
        { type: "text", text: "Hello" },
      ],
    }) +
      ended() +
      done,
  ],
  [
    "texts-without-a-field-for-thoughts",
    "thoughts come first, and texts have no field for them",
    ["brainlid/langchain#651"],
    chunk({ reasoning_content: "Hm" }) + chunk({ content: "Hello" }) + ended() + done,
  ],
  [
    "empty-texts-between-thoughts",
    "empty texts come between two thoughts",
    ["pi#9674"],
    chunk({ reasoning_content: "H" }) +
      chunk({ content: "" }) +
      chunk({ reasoning_content: "m", content: "" }) +
      chunk({ content: "Hello" }) +
      ended() +
      done,
  ],
  [
    "last-text-beside-the-reason",
    "the last text comes in the chunk of the reason",
    ["vllm#36944"],
    chunk({ content: "Hel" }) + chunk({ content: "lo" }, { finish_reason: "stop" }) + done,
  ],
  [
    "chunk-without-a-reason",
    "chunks have no field for the reason but the last",
    ["LibreChat#5563"],
    event({ choices: [{ index: 0, delta: { content: "Hello" } }] }) + ended() + done,
  ],
  [
    "error-behind-another-name",
    "the error of another vendor stands in the metadata of one that says nothing",
    ["OmniRoute#3044", "decocms/studio#6827", "open-webui/computer#293"],
    event({
      error: {
        message: "Provider returned error",
        code: 400,
        metadata: {
          raw: '{"error":{"type":"invalid_request_error","message":"The model takes one picture in a prompt."}}',
          provider_name: "Crucible",
        },
      },
    }),
    { failure: { codes: ["BAD_REQUEST", "FILE_REFUSED"], says: "takes one picture", isRetryable: false } },
  ],
  [
    "many-pieces",
    "the arguments of one call come in 52,000 pieces of four letters",
    ["pi#9265"],
    call({ function: { name: "lookup", arguments: '{"a":"' } }) +
      chunk({ tool_calls: [{ index: 0, function: { arguments: "word" } }] }).repeat(52_000) +
      chunk({ tool_calls: [{ index: 0, function: { arguments: '"}' } }] }) +
      ended("tool_calls") +
      done,
    { calls: [["lookup", { a: "word".repeat(52_000) }]], finishReason: "tool-calls" },
  ],
];

export const chatReplyQuirks = replyQuirks(["openai-chat", "deepseek"], rows, hello);
