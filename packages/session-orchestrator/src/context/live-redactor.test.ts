import { Redactor } from "@incipit/redaction";
import { expect, test } from "bun:test";
import { LiveRedactor } from "./orchestrator-context.ts";

test("LiveRedactor applies new secrets, also to text redacted before", async () => {
  let secrets: readonly string[] = ["planted-key-4711a"];
  const live = new LiveRedactor(await Redactor.create({ secrets: [], patterns: [] }), () => secrets);
  const text = "planted-key-4711a planted-key-4712b";
  const before = live.current;
  const found = before.find(text);
  expect(live.current).toBe(before);
  expect(live.redact(text)).toBe("[redacted:secret] planted-key-4712b");

  secrets = [...secrets, "planted-key-4712b"];
  const now = live.current;

  expect(live.redact(text)).toBe("[redacted:secret] [redacted:secret]");
  const next = now.find(`${text} and more`, { found, commonLength: text.length });
  expect(now.leaveOut(`${text} and more`, next).text).toBe("[redacted:secret] [redacted:secret] and more");
});
