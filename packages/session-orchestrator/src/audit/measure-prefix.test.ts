import { expect, test } from "bun:test";
import { audit, sizeOf, type SentRequest, measureBodies } from "./step-audit.ts";

interface Sent {
  readonly system: string;
  readonly messages: readonly string[];
}

function requestOf({ system, messages }: Sent): SentRequest {
  const part = (name: string, text: string): SentRequest["parts"][number] => ({
    part: name,
    sha256: text,
    sizeBytes: text.length,
  });
  const parts = [
    part("tools", ""),
    part("system", system),
    ...messages.map((text, at) => part(`message:${at}`, text)),
  ];
  const facts = { model: "test/model", isCompaction: false, requestTierSha256: null, isBuilderAbsent: false };
  return { parts, sizeBytes: sizeOf(parts), ...facts };
}

function bodyOf({ system, messages }: Sent, settings = {}): string {
  const list = [{ role: "system", content: system }, ...messages.map((content) => ({ role: "user", content }))];
  return JSON.stringify({ model: "m", ...settings, messages: list });
}

const told: Sent = { system: "Be kind.", messages: ["one", "two"] };

function measure(now: Sent, body: string): unknown {
  const [previous, current] = [requestOf(told), requestOf(now)];
  const url = "test:model";
  const { firstDifference, differenceReason } = measureBodies(audit(previous, current), {
    previous,
    current,
    before: { stepId: "0", url, body: bodyOf(told) },
    body: { url, body },
  });
  return [firstDifference, differenceReason];
}

test("measureBodies compares bytes when the parts are equal", () => {
  const more = { ...told, messages: ["one", "two", "three"] };

  expect(measure(more, bodyOf(more))).toEqual([null, null]);
  expect(measure(told, bodyOf({ ...told, messages: ["one", "2"] }))).toEqual(["message:1", "provider-changed"]);
});

test("measureBodies returns the first differing part in cache order", () => {
  const edited = { ...told, messages: ["one", "2"] };

  expect(measure(edited, bodyOf(edited))).toEqual(["message:1", "history-edited"]);
  expect(measure(edited, bodyOf({ ...edited, system: "Be cruel." }))).toEqual(["system", "provider-changed"]);
  expect(measure({ ...told, system: "Be cruel." }, bodyOf(edited))).toEqual(["system", "prompt-rebuilt"]);
});
