import { turnEventSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import * as z from "zod";
import { routes } from "./routes.ts";
import type { Route } from "./routes/route.ts";

// Values on which clients depend. Adding values is compatible, removing or changing any is not.

/** Routes whose work continues after the answer. */
const accepted = new Set(["runSchedule", "wakeHeartbeat", "retryChannelMessage", "sendToChannel"]);

test("routes return 200 unless they create something", () => {
  const others = Object.entries<Route>(routes).flatMap(([name, { status }]) =>
    status === undefined ? [] : [[name, status]],
  );

  expect(others).toEqual(
    [
      "createSignInLink",
      "createConversation",
      "forkConversation",
      "importConversation",
      "wakeHeartbeat",
      "createSchedule",
      "runSchedule",
      "retryChannelMessage",
      "sendToChannel",
      "createPairingCode",
      "addExtension",
      "createToken",
      "createTicket",
    ].map((name) => [name, accepted.has(name) ? 202 : 201]),
  );
  expect(routes.createTurn.asyncAnswer.status).toBe(202);
});

/** By property. */
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
  function_call: "auto none",
  index: "0",
  inputs: "text image pdf audio video",
  isImported: "true",
  kind: "value absent text nothing failed shadowed variable branch template append segment unknown",
  listen: "true",
  logprobs: "false",
  measure: "body parts",
  missed: "skip once all",
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
  source: "stored config default configuration api",
  spawn: "true",
  status: "ok degraded running completed failed cancelled interrupted idle compacting waiting skipped",
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

/** Returns all enumerated values of a schema as `property value`. */
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

/** JSON Schemas of everything sent and received. */
const schemas: readonly unknown[] = [
  z.toJSONSchema(turnEventSchema),
  ...Object.values<Route>(routes).flatMap(({ response, asyncAnswer, params, query, headers, body, bodyLines }) => [
    ...[response, asyncAnswer?.response].map((schema) => schema && z.toJSONSchema(schema)),
    ...[params, query, headers, body, bodyLines].map((schema) => schema && z.toJSONSchema(schema, { io: "input" })),
  ]),
];

/** By JSON Schema keyword: properties and their limits. */
const limits: Readonly<Record<string, string>> = {
  minLength: "by:1 idempotency-key:1 note:1 path:1 q:1 title:1",
  maxLength: "author:200 by:200 idempotency-key:255 note:1000 note:2000 q:200 snippet:160 title:1000",
  minItems: "input:1",
  maxItems: "input:1000 stop:4 system:1000 tools:4096",
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

/** Returns all limits of a schema as `keyword property:limit`. */
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

test("routes and events keep known limits", () => {
  const there = new Set(limitsIn(schemas));

  const known = Object.entries(limits).flatMap(([keyword, list]) =>
    list.split(" ").map((it) => `${keyword} ${it}`),
  );
  expect(known.filter((limit) => !there.has(limit))).toEqual([]);
});

test("routes and events keep known values", () => {
  const there = new Set(valuesIn(schemas));

  const known = Object.entries(values).flatMap(([name, list]) =>
    list.split(" ").map((value) => `${name} ${value}`),
  );
  expect(known.filter((value) => !there.has(value))).toEqual([]);
});
