import type { ModelEvent } from "@incipit/service-contract";
import { modelRequest } from "@incipit/testkit";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { BothProviders, chatKinds, type ChatKind } from "./testing/both-providers.ts";

const text = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom("", "é", "🎉", "a\nb", "\u2028", '"\\'));
const sometimes = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null | undefined> =>
  fc.oneof({ weight: 3, arbitrary: value }, fc.constantFrom(null, undefined));
const rarely = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, value);
const wrong = fc.constantFrom(7, false, {}, [], "x", [{ type: "text", text: "a" }]);

const piece = fc.constantFrom(...'| |{|{|{|{"a":|"}"|"x\\"|1}|}|[|[]|{}|{"a":1}|null|]'.split("|"));
const toolCall = fc.record({
  index: fc.constantFrom(0, 0, 0, 1, 2),
  id: fc.constantFrom("t1", "t1", "t2", "", " ", null, undefined),
  type: fc.constantFrom("function", null, undefined),
  function: fc.record({
    name: fc.constantFrom("a", "a", "b", "", " ", null, undefined),
    arguments: sometimes(piece),
  }),
  extra_content: rarely(
    fc.constantFrom(
      null,
      {},
      { google: null },
      { google: { thought_signature: "s" } },
      { google: { thought_signature: 7 } },
    ),
  ),
});
const orderlyCall = fc
  .tuple(fc.nat({ max: 2 }), fc.json({ maxDepth: 1 }), fc.integer({ min: 1, max: 5 }))
  .map(([index, input, size]) => {
    const pieces = Array.from({ length: Math.ceil(input.length / size) }, (_, at) =>
      input.slice(at * size, (at + 1) * size),
    );
    const opening = {
      index,
      id: `call_${index}`,
      type: "function",
      function: { name: `n${index}`, arguments: "" },
    };
    return [opening, ...pieces.map((said) => ({ index, function: { arguments: said } }))];
  });

const usage = fc.record(
  {
    prompt_tokens: fc.oneof(fc.nat(), fc.constantFrom(null, -1, 1.5, Infinity)),
    completion_tokens: fc.nat(),
    total_tokens: fc.nat(),
    prompt_tokens_details: sometimes(
      fc.record(
        { cached_tokens: sometimes(fc.nat()), cache_write_tokens: fc.constantFrom(1, null, "7") },
        { requiredKeys: [] },
      ),
    ),
    completion_tokens_details: sometimes(
      fc.record({ reasoning_tokens: fc.nat(), accepted_prediction_tokens: fc.nat() }, { requiredKeys: [] }),
    ),
    prompt_cache_hit_tokens: fc.constantFrom(3, "3"),
    prompt_cache_miss_tokens: fc.nat(),
  },
  { requiredKeys: [] },
);

function deltaFor(isOdd: boolean): fc.Arbitrary<object> {
  const odd = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<unknown> =>
    isOdd ? value : fc.constant(undefined);
  return fc.record(
    {
      role: fc.constantFrom("assistant", null, ...(isOdd ? ["", "user"] : [])),
      content: sometimes(text),
      reasoning_content: rarely(text),
      reasoning: rarely(text),
      refusal: rarely(isOdd ? fc.oneof(text, wrong) : text),
      annotations: odd(
        fc.constantFrom(
          [],
          null,
          [{ type: "url_citation", url_citation: { start_index: 0, end_index: 1, url: "u", title: "t" } }],
          [{ type: "other" }],
        ),
      ),
    },
    { requiredKeys: [] },
  );
}

const mistral = fc.array(
  fc.constantFrom(
    { type: "text", text: "a" },
    { type: "text" },
    {
      type: "thinking",
      thinking: [{ type: "text", text: "b" }, null, { type: "text", text: 7 }, { type: "image" }],
    },
    { type: "thinking", thinking: "c" },
    { type: "image_url" },
  ),
  { maxLength: 3 },
);

/** Chunks of one kind each: when both kinds are read at once, only the packages' timing decides which are shown. */
function chunkFor(isOdd: boolean): fc.Arbitrary<readonly object[]> {
  const head = fc.record(
    {
      id: fc.constantFrom("c1", "", null),
      created: fc.constantFrom(0, 1, null),
      model: fc.constantFrom("m", null),
    },
    { requiredKeys: [] },
  );
  const chunk = (
    choice: fc.Arbitrary<object>,
    more: fc.Arbitrary<object> = fc.constant({}),
  ): fc.Arbitrary<readonly object[]> =>
    fc
      .tuple(head, choice, more)
      .map(([said, of, added]) => [{ ...said, choices: [{ index: 0, ...of }], ...added }]);
  const finish = fc.record({
    delta: fc.constant({}),
    finish_reason: fc.constantFrom("stop", "length", "tool_calls", "function_call", "content_filter", "odd", ""),
  });
  const plain = [
    chunk(fc.record({ delta: deltaFor(isOdd), finish_reason: rarely(fc.constant("stop")) })),
    chunk(deltaFor(isOdd).map((delta) => ({ delta }))),
    fc
      .array(orderlyCall, { maxLength: 2 })
      .map((calls) =>
        calls.flat().map((call) => ({ id: "c1", choices: [{ index: 0, delta: { tool_calls: [call] } }] })),
      ),
    chunk(finish),
    fc.tuple(head, usage).map(([said, of]) => [{ ...said, choices: [], usage: of }]),
  ];
  if (!isOdd) return fc.oneof(...plain);
  const nowhere = fc.constantFrom<object[]>(
    { choices: [] },
    { choices: [{ index: 0 }] },
    { choices: [{ index: 0, delta: null, finish_reason: null }] },
    { choices: [{ delta: { content: "no index" } }] },
    { choices: [{ index: 0, delta: { content: 7 } }] },
    { choices: {} },
    { id: 7, choices: [] },
    { prompt_filter_results: [], choices: [] },
    {
      choices: [
        {
          index: 0,
          delta: { content: "a" },
          logprobs: { content: [{ token: "a", logprob: -1, top_logprobs: [] }] },
        },
      ],
    },
    { choices: [{ index: 0, delta: { content: "a" }, logprobs: { content: [7] } }] },
    {
      choices: [
        { index: 0, delta: { content: "a" } },
        { index: 1, delta: { content: "b" } },
      ],
    },
    {},
  );
  const error = fc.record(
    {
      message: fc.constantFrom("It broke", "", "credit balance is too low"),
      type: fc.constantFrom("server_error", "invalid_request_error", "response.failed", "overloaded", null),
      code: fc.constantFrom(
        "rate_limit_exceeded",
        "context_length_exceeded",
        "insufficient_quota",
        503,
        "503",
        "x",
        7,
        null,
      ),
      param: fc.constantFrom(null, "p"),
      more: fc.constant(1),
    },
    { requiredKeys: ["message"] },
  );
  return fc.oneof(
    ...plain,
    fc
      .array(toolCall, { minLength: 1, maxLength: 2 })
      .map((calls) => calls.map((call) => ({ choices: [{ index: 0, delta: { tool_calls: [call] } }] }))),
    chunk(mistral.map((content) => ({ delta: { content } }))),
    nowhere.map((each) => [each]),
    rarely(error).map((said) => (said === undefined ? [] : [{ error: said }])),
    rarely(
      fc.constantFrom(
        { error: 7 },
        { error: null, choices: [] },
        { error: "x", choices: [] },
        { choices: [], error: { message: 1 } },
      ),
    ).map((said) => (said === undefined ? [] : [said])),
  );
}

interface Reply {
  readonly kind: ChatKind;
  readonly chunks: readonly (readonly object[])[];
  readonly forms: readonly string[];
  readonly lineEnd: string;
  readonly pieces: readonly number[];
  readonly end: "done" | "none" | "half" | "broken";
  readonly contentType: string;
}

function replyFor(isOdd: boolean): fc.Arbitrary<Reply> {
  return fc.record({
    kind: fc.constantFrom(...chatKinds),
    chunks: fc.array(chunkFor(isOdd), { maxLength: 8 }),
    forms: fc.array(
      fc.constantFrom(
        "data: %\n\n",
        "data:%\n\n",
        "event: x\nid: 1\ndata: %\n\n",
        ": hello\n\ndata: %\n\n",
        "data: %\ndata:\n\n",
        "retry: 1\n\ndata: %\n\n\n",
      ),
      { minLength: 1, maxLength: 3 },
    ),
    lineEnd: fc.constantFrom("\n", "\n", "\r\n", "\r"),
    pieces: fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(100_000)), {
      minLength: 1,
      maxLength: 5,
    }),
    end: fc.constantFrom("done", "done", "none", "half", "broken"),
    contentType: fc.constantFrom("text/event-stream", "text/event-stream; charset=utf-8", "application/json"),
  });
}

function bytesOf({ chunks, forms, lineEnd, end }: Reply): Uint8Array {
  const events = chunks
    .flat()
    .map((chunk, index) => (forms[index % forms.length] ?? "").replace("%", () => JSON.stringify(chunk)));
  const last = { done: "data: [DONE]\n\n", none: "", half: 'data: {"id":"c1","choi', broken: "data: {" }[end];
  return new TextEncoder().encode([...events, last].join("").replaceAll("\n", lineEnd));
}

async function untilIdle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function responseOf(reply: Reply): Response {
  const bytes = bytesOf(reply);
  let [at, turn] = [0, 0];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const size = reply.pieces[turn % reply.pieces.length] ?? 1;
      // An immediate break discards chunks that the packages have read but not emitted.
      if (at >= bytes.length) await untilIdle();
      if (at < bytes.length) controller.enqueue(bytes.slice(at, at + size));
      else if (reply.end === "broken") controller.error(new TypeError("The socket was closed"));
      else controller.close();
      at += size;
      turn += 1;
    },
  });
  return new Response(body, { headers: { "content-type": reply.contentType } });
}

const known = /^(?:call_\d|t\d)$/;

function comparable(events: readonly ModelEvent[]): unknown {
  const made = new Map<string, string>();
  return events.map((event) => {
    if (event.type === "finish") {
      const { response: _, ...finish } = event; // The packages drop the id when a chunk without one comes first.
      return finish;
    }
    if (!("toolCallId" in event) || known.test(event.toolCallId)) return event;
    const toolCallId = made.get(event.toolCallId) ?? `made ${made.size}`;
    made.set(event.toolCallId, toolCallId);
    return { ...event, toolCallId };
  });
}

/** Replies that the packages reject with these codes are read here as far as possible. */
const strictCodes = new Set(["BAD_RESPONSE", "CUT_OFF"]);

/** Where the packages reject a reply or misread an error or empty reason, only their events up to that point count. */
async function expectSame(reply: Reply): Promise<void> {
  const both = new BothProviders(reply);
  both.answer = () => responseOf(reply);
  const given = await both.ask(modelRequest());
  const last = given.package.at(-1);
  const isRefused = last?.type === "failure" && strictCodes.has(last.error.code);
  const isPassedOver = /"error":|"finish_reason":""/.test(JSON.stringify(reply.chunks));
  if (!isRefused && !isPassedOver) {
    const own = given.own.map((event, index) => {
      const joined = asJoined(event, given.package[index]);
      return hasNamelessExtra(reply) ? withPackageMetadata(joined, given.package[index]) : joined;
    });
    expect(comparable(own)).toEqual(comparable(given.package));
    return;
  }
  const [own, others] = [saidIn(given.own), saidIn(given.package)];
  if (isPassedOver) expect(own.startsWith(others) || others.startsWith(own)).toBe(true);
  else expect(own).toStartWith(others);
  const end = given.own.at(-1);
  expect(["finish", "failure"]).toContain(end?.type ?? "");
  if (end?.type === "failure") expect(end.error.message).not.toContain("\n");
}

/** The packages join arguments to invalid JSON when an empty object precedes them or they repeat. */
function asJoined(own: ModelEvent, others: ModelEvent | undefined): ModelEvent {
  if (own.type !== "tool-call" || others?.type !== "tool-call" || isJson(others.input)) return own;
  const isPart = others.input.startsWith(own.input) || others.input.endsWith(own.input);
  return isPart ? { ...own, input: others.input } : own;
}

/** If the name is empty, the package ignores later deltas of that call. */
function hasNamelessExtra({ chunks }: Reply): boolean {
  const nameless =
    /"function":\{(?:"name":null,?)?(?:"arguments":(?:null|"(?:[^"\\]|\\.)*"))?\},"extra_content":\{/;
  return nameless.test(JSON.stringify(chunks));
}

function withPackageMetadata(own: ModelEvent, others: ModelEvent | undefined): ModelEvent {
  if (own.type !== "tool-call" || others?.type !== "tool-call" || others.metadata !== undefined) return own;
  const { metadata: _, ...rest } = own;
  return rest;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function saidIn(events: readonly ModelEvent[]): string {
  return events.flatMap((event) => ("text" in event ? [`${event.type} ${event.text}`] : [])).join("|");
}

for (const isOdd of [false, true]) {
  const replies = isOdd ? "replies as nobody should write them" : "replies";
  test(`provider-openai matches the AI SDK's events for ${replies} at any byte split, and continues where they fail`, async () => {
    await fc.assert(fc.asyncProperty(replyFor(isOdd), expectSame), { numRuns: 300 });
  });
}

test("provider-openai assembles calls like the AI SDK, for missing or repeated ids and names", async () => {
  const replies = fc
    .tuple(fc.constantFrom(...chatKinds), fc.array(toolCall, { minLength: 2, maxLength: 8 }))
    .map(([kind, calls]): Reply => ({
      kind,
      chunks: [
        ...calls.map((call) => [{ choices: [{ index: 0, delta: { tool_calls: [call] } }] }]),
        [{ choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] }],
      ],
      forms: ["data: %\n\n"],
      lineEnd: "\n",
      pieces: [100_000],
      end: "done",
      contentType: "text/event-stream",
    }));
  await fc.assert(fc.asyncProperty(replies, expectSame), { numRuns: 1_000 });
});
