import { expect, test } from "bun:test";
import fc from "fast-check";
import { type ChatChunk, lenientChunk, isPlainChunk } from "./chunk-reader.ts";
import { deltaContent } from "./chat-stream.ts";

const dialects = ["openai", "compatible"] as const;
const odd = fc.constantFrom<unknown>(null, undefined, 7, Infinity, "x", false, [], {}, [{}], [7], { a: 1 });
const mostly = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 40, arbitrary: value }, { weight: 1, arbitrary: odd });
const text = fc.constantFrom("a", "");

const call = fc.record(
  {
    index: mostly(fc.nat()),
    id: mostly(text),
    type: mostly(fc.constant("function")),
    function: mostly(fc.record({ name: mostly(text), arguments: mostly(text) }, { requiredKeys: [] })),
    extra_content: mostly(fc.constant(undefined)),
  },
  { requiredKeys: ["index", "function"] },
);
const delta = fc.record(
  {
    role: mostly(fc.constant("assistant")),
    content: mostly(text),
    refusal: mostly(text),
    reasoning_content: mostly(text),
    reasoning: mostly(text),
    tool_calls: mostly(fc.array(mostly(call), { maxLength: 2 })),
    annotations: mostly(fc.constant(null)),
  },
  { requiredKeys: [] },
);
const choice = fc.record(
  {
    index: mostly(fc.constant(0)),
    delta: mostly(delta),
    finish_reason: mostly(text),
    logprobs: mostly(fc.constant(null)),
  },
  { requiredKeys: ["index"] },
);
const details = mostly(
  fc.record(
    { cached_tokens: mostly(fc.nat()), cache_write_tokens: mostly(fc.nat()), reasoning_tokens: mostly(fc.nat()) },
    { requiredKeys: [] },
  ),
);
const usage = fc.record(
  { prompt_tokens: mostly(fc.nat()), prompt_tokens_details: details, completion_tokens_details: details },
  { requiredKeys: [] },
);
const chunk = fc.record(
  {
    id: mostly(text),
    created: mostly(fc.nat()),
    model: mostly(text),
    choices: mostly(fc.array(mostly(choice), { maxLength: 2 })),
    usage: mostly(usage),
    error: mostly(fc.constant(undefined)),
  },
  { requiredKeys: ["choices"] },
);

function meant({ id, model, created, choices, usage }: ChatChunk, dialect: (typeof dialects)[number]): unknown {
  const said = choices.map(({ delta, finish_reason: reason }) => ({
    reason: reason ?? undefined,
    said: deltaContent(delta ?? {}, dialect),
    calls: (delta?.tool_calls ?? []).map(({ index, id: callId, function: { name, arguments: input } }) => [
      index,
      callId ?? undefined,
      name ?? undefined,
      input ?? undefined,
    ]),
  }));
  return [id ?? undefined, model ?? undefined, created ?? undefined, said, usage ?? undefined];
}

for (const dialect of dialects) {
  test(`isPlainChunk of ${dialect} agrees with lenientChunk`, () => {
    let plain = 0;
    const property = fc.property(mostly(chunk), (value) => {
      if (!isPlainChunk(value, dialect)) return;
      plain += 1;
      const read = lenientChunk(value);
      expect(read.kind === "chunk" ? meant(read.chunk, dialect) : read).toEqual(meant(value, dialect));
    });
    fc.assert(property, { numRuns: 4_000 });
    expect(plain).toBeGreaterThan(200);
  });

  test(`isPlainChunk accepts the usual chunks of ${dialect}`, () => {
    const head = {
      id: "c",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      system_fingerprint: "f",
      service_tier: null,
    };
    const of = (said: object, finish: string | null = null): object => ({
      ...head,
      choices: [{ index: 0, delta: said, logprobs: null, finish_reason: finish }],
    });
    const counts = {
      prompt_tokens: 1,
      completion_tokens: 2,
      total_tokens: 3,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    };
    const sent = [
      of({ role: "assistant", content: "", refusal: null }),
      of({ content: "Hello" }),
      of({ tool_calls: [{ index: 0, id: "t", type: "function", function: { name: "a", arguments: "" } }] }),
      of({ tool_calls: [{ index: 0, function: { arguments: "{" } }] }),
      of({}, "stop"),
      {
        ...head,
        choices: [],
        usage: { ...counts, completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 } },
      },
    ];

    expect(sent.filter((value) => !isPlainChunk(value, dialect))).toEqual([]);
  });
}
