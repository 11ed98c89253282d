import { stepRecordSchema, type StepRecord } from "@incipit/schema";
import { expect, test } from "bun:test";
import { bareRecord } from "../testing/bare-record.ts";
import { partsText, recordText } from "./record-text.ts";

const sha256 = "a".repeat(64);
const { id } = bareRecord.step;
const at = bareRecord.step.startedAt;

function rowsOf(given: Partial<Record<keyof StepRecord, unknown>>): Readonly<Record<string, string>> {
  const text = recordText(stepRecordSchema.parse({ ...bareRecord, ...given }));
  return Object.fromEntries(
    text
      .trimEnd()
      .split("\n")
      .map((row) => [row.slice(0, 12).trim(), row.slice(13)]),
  );
}

test("recordText marks unknown values as not known instead of omitting them", () => {
  const unknown = { system: "not known", tools: "not known", messages: "not known", tokens: "not reported" };

  expect(rowsOf({})).toMatchObject({
    ...unknown,
    conversation: `${id} (no title)`,
    step: id,
    sent: "nothing",
    at,
    body: "-",
    prefix: "nothing was sent",
    ended: "not yet",
    "left out": "nothing",
  });
  expect(rowsOf({ tools: [], messages: [], systemTexts: [] })).toMatchObject({
    system: expect.stringMatching(/^0 bytes/),
    tools: "none",
    messages: "0",
  });
});

test("recordText prints the request's content, the duration, and omitted parts", () => {
  const tool = { description: "", inputSchema: {} };
  const redactions = [{ place: "body", kind: "github-token", count: 2 }];
  const request = {
    method: "POST",
    url: "http://model.test/v1",
    at,
    headers: {},
    body: "{}",
    sha256,
    storedSha256: sha256,
  };

  expect(
    rowsOf({
      step: {
        ...bareRecord.step,
        purpose: "compaction",
        requestSizeBytes: 2,
        systemSha256: sha256,
        finishReason: "stop",
      },
      request: { ...request, isRedacted: true, redactions },
      redactions: [...redactions, { place: "system", kind: "credential", count: 1 }],
      systemTexts: ["ü", "b"],
      tools: [
        { name: "read", ...tool },
        { name: "write", ...tool },
      ],
      durationMs: 1_234,
    }),
  ).toMatchObject({
    step: `${id} (compaction)`,
    sent: "POST http://model.test/v1",
    at: `${at}, 1.23 s`,
    system: `5 bytes, SHA-256 ${sha256}`,
    tools: "read, write",
    body: `2 bytes, SHA-256 ${sha256}`,
    ended: "stop",
    "left out": "github-token, credential",
  });
  expect(rowsOf({ requestProblem: { code: "GONE", message: "It is kept no longer" } })).toMatchObject({
    sent: "It is kept no longer",
  });
  expect(rowsOf({ step: { ...bareRecord.step, error: { code: "PROVIDER", message: "Busy" } } })).toMatchObject({
    ended: "PROVIDER: Busy",
  });
});

test("recordText states whether the prefix is intact, and if not, why", () => {
  for (const [verdict, reason, said] of [
    ["held", null, "held: it begins with the request before it"],
    ["first", "first-step", "the first request: nothing was sent before it"],
    [
      "expected",
      "compaction",
      "not as before, as asked for: a summary replaced the history (compaction); incipit audit has the byte",
    ],
    ["broken", "tools-changed", "not as before: other tools (tools-changed); incipit audit has the byte"],
    ["broken", null, "not as before: another request (unknown); incipit audit has the byte"],
  ] as const)
    expect(rowsOf({ audit: { ...bareRecord.audit, verdict, reason } })["prefix"]).toBe(said);
});

test("recordText counts only tokens that the provider reported", () => {
  const none = { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };

  for (const [usage, said] of [
    [none, "not reported"],
    [
      { inputTokens: 9, outputTokens: 4, cacheReadTokens: 0, cacheWriteTokens: 3, reasoningTokens: 2 },
      "in 9 (0 read from the cache, 3 written to it), out 4 (2 of them reasoning)",
    ],
    [{ ...none, outputTokens: 4 }, "in not reported (not reported read from the cache), out 4"],
    [{ ...none, inputTokens: 0 }, "in 0 (not reported read from the cache), out not reported"],
    [{ ...none, cacheReadTokens: 1 }, "in not reported (1 read from the cache), out not reported"],
    [
      { ...none, cacheWriteTokens: 1 },
      "in not reported (not reported read from the cache, 1 written to it), out not reported",
    ],
  ] as const)
    expect(rowsOf({ step: { ...bareRecord.step, usage } })["tokens"]).toBe(said);
});

test("partsText renders each part of a message in a row", () => {
  const call = { toolCallId: "1", name: "read" };

  expect(
    partsText([
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Look:" },
      { type: "file", mediaType: "image/png", data: "", filename: "a.png" },
      { type: "file", mediaType: "text/plain", data: "" },
      { type: "tool-call", ...call, input: '{"path":"a"}' },
      { type: "tool-result", ...call, output: "text", isError: false },
    ]),
  ).toBe('(thinks) Hm.\nLook:\n[file a.png image/png]\n[file  text/plain]\nread({"path":"a"})\nread: text');
});

test("recordText names the grant that allowed a call", () => {
  const unaskedCalls = [{ toolCallId: "call-1", name: "shell", allowedBy: "shell(git status:*) of the turn" }];

  expect(rowsOf({ step: { ...bareRecord.step, unaskedCalls } })).toMatchObject({
    call: "ran without asking: shell, allowed by shell(git status:*) of the turn",
  });
  expect(Object.keys(rowsOf({}))).not.toContain("call");
});
