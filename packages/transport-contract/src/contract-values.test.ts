import { expect, test } from "bun:test";
import * as z from "zod";
import { apiErrorCodeSchema, statusByErrorCode } from "./api-error.ts";
import { chatCompletionChunkSchema, chatCompletionRequestSchema, chatCompletionSchema } from "./chat-completion.ts";
import { forkConversationRequestSchema } from "./conversation.ts";
import { addExtensionRequestSchema, swapExtensionRequestSchema } from "./extension.ts";
import { messagePartSchema } from "./message.ts";
import { modelCallSchema } from "./model-call.ts";
import { openAiErrorOf, openAiErrorOfFailure } from "./openai-error.ts";
import { templateChangeSchema } from "./prompt-versions.ts";
import { routes, type Route } from "./routes.ts";
import { staticVariables, systemTextsSchema } from "./system-prompt.ts";
import { turnEventSchema } from "./turn-event.ts";

// What clients know. More may come; what is taken away, or becomes another value, breaks them.

const statuses = {
  400: "INVALID_REQUEST INVALID_EVENT_ID INVALID_CURSOR MODEL_UNKNOWN PROFILE_UNKNOWN CWD_INVALID",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN_HOST FORBIDDEN_ORIGIN GRANT_REQUIRED IMPORT_DENIED CAPABILITY_DENIED ID_RESERVED",
  404: "ROUTE_UNKNOWN CONVERSATION_UNKNOWN STEP_UNKNOWN CALL_UNKNOWN APPROVAL_UNKNOWN TOOL_OUTPUT_UNKNOWN TURN_NOT_QUEUED MESSAGE_UNKNOWN PROMPT_UNKNOWN EXTENSION_UNKNOWN TEMPLATE_VERSION_UNKNOWN",
  405: "METHOD_NOT_ALLOWED",
  409: "CONVERSATION_BUSY CONVERSATION_EXISTS NOTHING_TO_COMPACT PROMPT_NOT_CONSTRUCTED APPROVAL_ENDED FORK_POINT_INVALID IDEMPOTENCY_CONFLICT TEMPLATE_CONFLICT EXTENSION_REFUSED DUPLICATE_EXTENSION DUPLICATE_SERVICE DEPENDENCY_CYCLE ACTIVATE_FAILED ACTIVATE_TIMEOUT UNTRUSTED_TEXT",
  410: "RECORD_DELETED",
  413: "BODY_TOO_LARGE TEMPLATE_TOO_LARGE",
  422: "NOT_A_HISTORY MANIFEST_INVALID API_MISMATCH FOLDER_INVALID CODE_INVALID CODE_FAILED SERVICE_NOT_PROVIDED SERVICE_UNDECLARED CONFIG_INVALID CONTRIBUTION_INVALID",
  500: "STORED_DATA_DAMAGED INTERNAL",
  502: "MODEL_FAILED",
  503: "SERVICE_UNAVAILABLE",
  504: "TIMEOUT",
  507: "STORAGE_FAILED",
} as const;

test("statusByErrorCode keeps the status of each code", () => {
  for (const [status, codes] of Object.entries(statuses)) {
    const known = codes.split(" ").map((code) => [apiErrorCodeSchema.parse(code), Number(status)]);
    expect(statusByErrorCode).toMatchObject(Object.fromEntries(known));
  }
});

test("routes answer 200, but those that make something", () => {
  const others = Object.entries<Route>(routes).flatMap(([name, { status }]) =>
    status === 200 ? [] : [[name, status]],
  );

  expect(others).toEqual(
    ["createConversation", "forkConversation", "importConversation", "addExtension"].map((name) => [name, 201]),
  );
  expect(routes.createTurn.asyncAnswer.status).toBe(202);
});

/** By the property that has them. */
const values: Readonly<Record<string, string>> = {
  archived: "false true all",
  audio: "null",
  code: "unknown-variable unknown-type blank-text not-a-tag unclosed-if stray-else stray-endif second-else constant-condition same-branches always-blank volatile absent-file denied-file absent-value untrusted-text secret too-long no-base-text",
  decision: "allow allow-always deny",
  deleted: "true",
  differenceReason:
    "first-step model-changed provider-changed tools-changed prompt-rebuilt compaction request-tier prompt-builder-absent history-edited unknown",
  env: "true",
  finishReason: "stop length tool-calls content-filter error other",
  finish_reason: "stop length tool_calls content_filter",
  format: "wav mp3",
  fs: "true",
  function_call: "null",
  functions: "null",
  index: "0",
  inputs: "text image pdf audio video",
  isImported: "true",
  kind: "value absent text nothing failed shadowed variable branch template append segment unknown",
  listen: "true",
  logprobs: "false",
  measure: "body parts",
  method: "o200k_base estimate",
  modalities: "text",
  n: "1",
  net: "true",
  object: "chat.completion list model",
  onlyBroken: "true false",
  origin: "literal variable append segment request separator",
  outcome: "rebuilt nothing-changed swapped kept-old restored-old failed loaded",
  phase: "waiting starting active draining stopped failed",
  point: "prompt-variables@1 prompt-segments@1",
  promptReason: "first-turn compaction turn-refresh rebuild",
  purpose: "turn compaction",
  reason:
    "not-found not-a-repository not-installed not-set denied too-large too-many not-a-file not-text timeout failed unknown-type not-trusted first-turn compaction turn-refresh rebuild answered expired stopped interrupted requested automatic first-step model-changed provider-changed tools-changed prompt-rebuilt request-tier prompt-builder-absent history-edited unknown",
  reasoning_effort: "none minimal low medium high xhigh",
  reasons:
    "first-step model-changed provider-changed tools-changed prompt-rebuilt compaction request-tier prompt-builder-absent history-edited unknown",
  role: "assistant system developer user tool",
  severity: "error warning info",
  side: "then else",
  source: "stored config default",
  spawn: "true",
  status: "ok degraded running completed failed cancelled interrupted idle compacting waiting",
  storage: "true",
  system: "true",
  systemMode: "replace append",
  template: "base append",
  tier: "request profile global default",
  tool_choice: "none auto required",
  top_logprobs: "0",
  trust: "trusted not-trusted changed core standard",
  type: "function text image_url input_audio file refusal json_object json_schema incipit-conversation conversation prompt tools record end reasoning tool-call tool-result turn-queue turn-start prompt-resolve tools-resolve step-start step-retry text-start text-delta text-end reasoning-start reasoning-delta reasoning-end tool-call-start tool-call-end approval-request approval-end step-end compaction-start compaction-end message-end turn-end",
  verdict: "first held expected broken unsent",
  web_search_options: "null",
};

const jsonSchema = z.looseObject({
  enum: z.array(z.json()).default([]),
  const: z.json().optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
});

function textOf(value: z.core.util.JSONType): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Every value that a schema names, as `property value`. */
function valuesIn(schema: unknown, property = ""): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap((part) => valuesIn(part, property));
  if (typeof schema !== "object" || schema === null) return [];
  const { enum: choices, const: only, properties, ...rest } = jsonSchema.parse(schema);
  return [
    ...choices.map((value) => `${property} ${textOf(value)}`),
    ...(only === undefined ? [] : [`${property} ${textOf(only)}`]),
    ...Object.entries(properties).flatMap(([name, part]) => valuesIn(part, name)),
    ...Object.values(rest).flatMap((part) => valuesIn(part, property)),
  ];
}

/** Of all that is sent and received, as JSON Schema has it. */
const schemas: readonly unknown[] = [
  z.toJSONSchema(turnEventSchema),
  ...Object.values<Route>(routes).flatMap(({ response, asyncAnswer, params, query, headers, body, bodyLines }) => [
    ...[response, asyncAnswer?.response].map((schema) => schema && z.toJSONSchema(schema)),
    ...[params, query, headers, body, bodyLines].map((schema) => schema && z.toJSONSchema(schema, { io: "input" })),
  ]),
];

/** By the keyword of JSON Schema: the properties that have it, and how much. */
const limits: Readonly<Record<string, string>> = {
  minLength: "by:1 idempotency-key:1 note:1 path:1 q:1 title:1",
  maxLength: "author:200 by:200 idempotency-key:255 note:1000 note:2000 q:200 snippet:160 title:1000",
  minItems: "input:1",
  maxItems: "input:1000 stop:4 system:1000 tools:128",
  minimum:
    "bodyByte:0 broken:0 cacheRead:0 cacheWrite:0 count:0 durationMs:0 expected:0 frequency_penalty:-2 held:0 input:0 lastSeq:0 length:0 limit:1 newLines:0 newStart:0 offset:0 oldLines:0 oldStart:0 omitted:0 partByte:0 presence_penalty:-2 previousBytes:0 pricedSteps:0 records:0 resumed:0 share:0 sharedBytes:0 sizeBytes:0 start:0 steps:0 temperature:0 top_p:0 unreportedSteps:0",
  maximum: "frequency_penalty:2 limit:1000 presence_penalty:2 share:1 temperature:2 top_p:1",
  exclusiveMinimum:
    "aboveTokens:0 column:0 contextWindow:0 count:0 current:0 damaged:0 end:0 epoch:0 from:0 fromSeq:0 line:0 maxBytes:0 maxOutputTokens:0 max_completion_tokens:0 max_tokens:0 position:0 reasons:0 seq:0 to:0 version:0",
};

const limited = z.looseObject({
  ...Object.fromEntries(Object.keys(limits).map((keyword) => [keyword, z.number().optional()])),
  properties: z.record(z.string(), z.unknown()).default({}),
});

/** Every limit that a schema names, as `keyword property:limit`. */
function limitsIn(schema: unknown, property = ""): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap((part) => limitsIn(part, property));
  const parsed = limited.safeParse(schema);
  if (!parsed.success) return [];
  const { properties, ...rest } = parsed.data;
  return [
    ...Object.keys(limits).flatMap((keyword) => {
      const limit = rest[keyword];
      return typeof limit === "number" ? [`${keyword} ${property}:${limit}`] : [];
    }),
    ...Object.entries(properties).flatMap(([name, part]) => limitsIn(part, name)),
    ...Object.values(rest).flatMap((part) => limitsIn(part, property)),
  ];
}

test("routes and events keep the limits that clients know", () => {
  const there = new Set(limitsIn(schemas));

  const known = Object.entries(limits).flatMap(([keyword, list]) =>
    list.split(" ").map((it) => `${keyword} ${it}`),
  );
  expect(known.filter((limit) => !there.has(limit))).toEqual([]);
});

test("forkConversationRequestSchema takes one message at most", () => {
  const isTaken = (request: unknown): boolean => forkConversationRequestSchema.safeParse(request).success;

  expect([{}, { after: "a" }, { before: "b" }].map(isTaken)).toEqual([true, true, true]);
  expect(isTaken({ after: "a", before: "b" })).toBe(false);
});

test("routes and events keep the values that clients know", () => {
  const there = new Set(valuesIn(schemas));

  const known = Object.entries(values).flatMap(([name, list]) =>
    list.split(" ").map((value) => `${name} ${value}`),
  );
  expect(known.filter((value) => !there.has(value))).toEqual([]);
});

const eventFields: Readonly<Record<string, string>> = {
  "turn-queue": "seq turnId at input position",
  "turn-start": "seq turnId at input",
  "prompt-resolve": "seq turnId at sha256 sizeBytes reason",
  "tools-resolve": "seq turnId at sha256 count problems",
  "step-start": "seq turnId at stepId model",
  "step-retry": "seq turnId at stepId attempt waitMs error",
  "text-start": "seq turnId at stepId partId text",
  "text-delta": "seq turnId at stepId partId text",
  "text-end": "seq turnId at stepId partId text",
  "reasoning-start": "seq turnId at stepId partId text",
  "reasoning-delta": "seq turnId at stepId partId text",
  "reasoning-end": "seq turnId at stepId partId text",
  "tool-call-start": "seq turnId at stepId toolCallId name",
  "tool-call-end": "seq turnId at stepId toolCallId name input",
  "approval-request": "seq turnId at approvalId toolCallId name input expiresAt",
  "approval-end": "seq turnId at approvalId decision reason",
  "step-end": "seq turnId at stepId usage finishReason",
  "compaction-start": "seq turnId at reason",
  "compaction-end": "seq turnId at status",
  "message-end": "seq turnId at messageId",
  "turn-end": "seq turnId at status",
};

test("turnEventSchema keeps what each event has, beside what it may have", () => {
  const found = turnEventSchema.options.map((schema) => {
    const { properties = {}, required = [] } = z.toJSONSchema(schema);
    const { type } = z.object({ type: z.object({ const: z.string() }) }).parse(properties);
    return [type.const, required.filter((name) => name !== "type").join(" ")];
  });

  expect(Object.fromEntries(found)).toMatchObject(eventFields);
});

test("systemTextsSchema takes a text, or a list of up to 1,000", () => {
  const texts = (count: number): string[] => Array.from({ length: count }, () => "a");

  for (const taken of ["a", "", [], texts(1_000)]) expect(systemTextsSchema.safeParse(taken).data).toEqual(taken);
  for (const refused of [texts(1_001), null, 1, ["a", 1]])
    expect(systemTextsSchema.safeParse(refused).success).toBe(false);
});

test("a completion, whole or in pieces, has what OpenAI's clients read of one, and nothing of it is lost", () => {
  const call = { id: "call_1", type: "function", function: { name: "look", arguments: "{}" } };
  const usage = {
    prompt_tokens: 20,
    completion_tokens: 5,
    total_tokens: 25,
    prompt_tokens_details: { cached_tokens: 8, cache_write_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 2 },
  };
  const head = { id: "chatcmpl-1", created: 1_800_000_000, model: "acme/one", usage };
  const said = { role: "assistant", content: "Hi", reasoning_content: "Hm" };
  const choice = { index: 0, logprobs: null, finish_reason: "tool_calls" };
  const message = { ...said, refusal: null, tool_calls: [call] };
  const whole = { ...head, object: "chat.completion", choices: [{ ...choice, message }] };
  const delta = { ...said, tool_calls: [{ index: 0, ...call }] };
  const piece = { ...head, object: "chat.completion.chunk", choices: [{ ...choice, delta }] };

  for (const [schema, sent] of [
    [chatCompletionSchema, whole],
    [chatCompletionChunkSchema, piece],
  ] as const) {
    const parsed: unknown = schema.parse(sent);
    expect(parsed).toEqual(sent);
    for (const name of ["id", "created", "model", "object", "choices"] as const)
      expect([name, schema.safeParse({ ...sent, [name]: undefined }).success]).toEqual([name, false]);
  }
});

const failures = [
  ["BAD_REQUEST", 400, "provider_refused_request", "invalid_request_error"],
  ["INPUT_UNSUPPORTED", 400, "unsupported_input", "invalid_request_error"],
  ["CONTEXT_TOO_LONG", 400, "context_length_exceeded", "invalid_request_error"],
  ["RATE_LIMITED", 429, "rate_limit_exceeded", "rate_limit_error"],
  ["VENDOR_FAILED", 502, "provider_failed", "server_error"],
  ["OVERLOADED", 503, "provider_overloaded", "server_error"],
  ["NOT_CONFIGURED", 503, "provider_not_configured", "server_error"],
  ["CAPABILITY_DENIED", 503, "capability_denied", "server_error"],
  ["TIMEOUT", 504, "provider_timeout", "server_error"],
  ["UNAUTHORIZED", 502, "provider_unauthorized", "server_error"],
  ["STORAGE_FAILED", 507, "storage_failed", "server_error"],
  ["SERVICE_UNAVAILABLE", 503, "service_unavailable", "server_error"],
  ["SOMETHING_ELSE", 502, "something_else", "server_error"],
] as const;

test("openAiErrorOfFailure names each failure as OpenAI's clients know it", () => {
  for (const [failure, status, code, type] of failures)
    expect(openAiErrorOfFailure(failure, "why")).toEqual({
      status,
      error: { message: "why", type, param: null, code },
    });
});

const refusals = [
  ["UNAUTHORIZED", 401, "invalid_api_key", "invalid_request_error"],
  ["MODEL_UNKNOWN", 404, "model_not_found", "invalid_request_error"],
  ["PROFILE_UNKNOWN", 400, "profile_not_found", "invalid_request_error"],
  ["ROUTE_UNKNOWN", 404, "unknown_url", "invalid_request_error"],
  ["BODY_TOO_LARGE", 413, "body_too_large", "invalid_request_error"],
  ["INTERNAL", 500, "internal", "server_error"],
] as const;

test("openAiErrorOf names each refusal as OpenAI's clients know it, and the first field that is wrong", () => {
  for (const [refusal, status, code, type] of refusals)
    expect(openAiErrorOf(refusal, "why")).toEqual({ status, error: { message: "why", type, param: null, code } });
  const params = ['"messages.0.content"', '"a.1" and "b"', "the body", '"n"'].map(
    (field) => openAiErrorOf("INVALID_REQUEST", "why", [{ field }, { field: '"other"' }]).error.param,
  );
  expect(params).toEqual(["messages[0].content", "a[1]", null, "n"]);
});

test("messagePartSchema keeps each kind of part", () => {
  const parts = [
    { type: "text", text: "a" },
    { type: "reasoning", text: "a" },
    { type: "file", mediaType: "image/png", data: "AAAA" },
    { type: "tool-call", toolCallId: "1", name: "a", input: "{}" },
    { type: "tool-result", toolCallId: "1", name: "a", output: "b", isError: false },
  ];

  for (const part of parts) expect(messagePartSchema.parse(part)).toMatchObject(part);
});

test("chatCompletionRequestSchema takes a text, or a list of parts, of each role", () => {
  const parts = [{ type: "text", text: "a" }];
  for (const role of ["system", "developer", "user", "assistant", "tool"])
    for (const content of ["a", parts]) {
      const message = { role, content, ...(role === "tool" ? { tool_call_id: "1" } : {}) };
      expect({
        role,
        ...chatCompletionRequestSchema.safeParse({ model: "a/b", messages: [message] }),
      }).toMatchObject({
        role,
        success: true,
      });
    }
});

test("staticVariables has the host's own variables", () => {
  expect(staticVariables.map(({ type, name }) => `${type}:${name}`)).toEqual([
    "system:time",
    "system:date",
    "system:os",
    "system:hostname",
    "prompt:cwd",
    "prompt:model",
    "prompt:conversation_id",
    "git:branch",
    "git:status",
    "file:<path>",
  ]);
});

test("modelCallSchema keeps each way in which a call can end", () => {
  expect(modelCallSchema.shape.status.options).toEqual([
    "running",
    "completed",
    "failed",
    "cancelled",
    "interrupted",
  ]);
});

test("templateChangeSchema takes an author of 200 characters and a note of 1,000, each one line", () => {
  const isTaken = (change: unknown): boolean => templateChangeSchema.safeParse(change).success;

  expect(isTaken({ author: "a".repeat(200), note: "n".repeat(1_000) })).toBe(true);
  expect([{ author: "a".repeat(201) }, { note: "n".repeat(1_001) }, { note: "a\nb" }].map(isTaken)).toEqual([
    false,
    false,
    false,
  ]);
});

test("addExtensionRequestSchema and swapExtensionRequestSchema take a path of one character, and no empty one", () => {
  for (const schema of [addExtensionRequestSchema, swapExtensionRequestSchema])
    expect(["/", ""].map((path) => schema.safeParse({ path }).success)).toEqual([true, false]);
});
