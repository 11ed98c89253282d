import { auditedStepSchema, type AuditedStep } from "@incipit/schema";
import { expect, test } from "bun:test";
import { bareRecord } from "../testing/bare-record.ts";
import { stepText } from "@incipit/cli-text";

const usage = { inputTokens: 4_096, outputTokens: 1, cacheReadTokens: 1_024, cacheWriteTokens: null };
const prefix = {
  measure: "body",
  sizeBytes: 1_000,
  previousBytes: 500,
  sharedBytes: 500,
  difference: null,
  changes: [],
  promptReason: null,
};
const warning = { message: "The tools are others", hint: "leave them as they are" };

function step(given: Partial<Record<keyof AuditedStep, unknown>>): AuditedStep {
  return auditedStepSchema.parse({ ...bareRecord.audit, verdict: "held", ...given });
}

function text(
  given: Partial<Record<keyof AuditedStep, unknown>>,
  options: Partial<Parameters<typeof stepText>[1]> = {},
): string {
  return stepText(step(given), { number: 2, before: step({}), isSaid: false, width: 80, ...options });
}

const head = "     2             00:00:00";

test("stepText prints the date and the model only when they change", () => {
  const earlier = step({ startedAt: "2025-12-31T23:00:00.000Z" });

  expect(text({}, { before: undefined, number: 1 })).toStartWith("     1  2026-01-01 00:00:00          -");
  expect(text({}, { before: undefined })).toEndWith("\n         model local/test\n");
  expect(text({}, { before: earlier })).toStartWith("     2  2026-01-01 00:00:00");
  expect(text({})).toStartWith(`${head}          -`);
  expect(text({})).not.toContain("model");
  expect(text({ model: "local/b" })).toEndWith("\n         model local/b\n");
});

test("stepText draws cached, intact and new parts within the remaining width", () => {
  const line = (given: Partial<Record<keyof AuditedStep, unknown>>, width = 80): string =>
    text(given, { width }).split("\n")[0] ?? "";

  expect(line({ usage, prefix, share: 0.5 })).toBe(
    `${head}      4,096  kept 50 %   ${"█".repeat(7)}${"▒".repeat(7)}${"░".repeat(14)}`,
  );
  expect(line({ usage, prefix, share: 1 }, 300)).toEndWith(
    `  kept 100 %  ${"█".repeat(10)}${"▒".repeat(10)}${"░".repeat(20)}`,
  );
  expect(line({ usage, prefix }, 20)).toEndWith(`  ${"█".repeat(3)}${"▒".repeat(2)}${"░".repeat(5)}`);
  expect(line({ usage: { ...usage, cacheReadTokens: 4_096 }, prefix }, 20)).toEndWith(` ${"█".repeat(10)}`);
  expect(line({})).toEndWith(` ${"░".repeat(28)}`);
  expect(line({ verdict: "unsent", share: 0.5 })).toBe(`${head}          -`);
});

test("stepText marks a break with cause, place, cost and fix, and explains a cause once", () => {
  const difference = { part: "tools", bodyByte: 1_234, partByte: 7 };
  const broken = {
    verdict: "broken",
    reason: "tools-changed",
    warning,
    prefix: { ...prefix, difference, changes: ["+read", "-write"] },
  };
  const inputUsd = { billed: 0.5, withoutCache: 1, unbroken: 0.25 };
  const first = 'other tools (tools-changed) at byte 1,234 of the request (byte 7 of "tools"): +read, -write';
  const rows = (given: Partial<Record<keyof AuditedStep, unknown>>, isSaid = false): readonly string[] =>
    text(given, { width: 200, isSaid }).split("\n").slice(1);

  expect(text(broken)).toStartWith("!    2");
  const indented = (lines: readonly string[]): readonly string[] => [
    ...lines.map((line) => `         ${line}`),
    "",
  ];
  expect(rows(broken)).toEqual(indented([first, `${warning.message}.`, `-> ${warning.hint}`]));
  expect(rows({ ...broken, inputUsd })).toEqual(
    indented([first, `${warning.message}. It cost about $0.25 more.`, `-> ${warning.hint}`]),
  );
  expect(rows({ ...broken, inputUsd }, true)).toEqual(indented([`${first}; about $0.25 more`]));
  expect(rows(broken, true)).toEqual(indented([first]));
  for (const none of [
    { ...inputUsd, unbroken: 0.5 },
    { ...inputUsd, unbroken: null },
  ])
    expect(rows({ ...broken, inputUsd: none }, true)).toEqual(indented([first]));
  expect(rows({ verdict: "broken", warning })[0]).toBe("         another request (unknown)");
});

test("stepText distinguishes requested breaks, first steps and unsent steps", () => {
  const asked = text({ verdict: "expected", reason: "compaction", purpose: "compaction", prefix });

  expect(asked).toStartWith("·    2");
  expect(asked).toEndWith(
    "\n         compaction: summarizes the conversation\n         a summary replaced the history (compaction), on request\n",
  );
  expect(text({ verdict: "first" })).toMatch(/^ {5}2[^]*\n {9}the first request: nothing was sent before it\n$/);
  expect(text({ verdict: "unsent" })).toMatch(/^ {5}2[^]*\n {9}nothing was sent\n$/);
});

test("stepText distinguishes an unused cache from a lost one", () => {
  const given = {
    usage: { ...usage, cacheReadTokens: 0 },
    prefix: { ...prefix, sizeBytes: 1_000, sharedBytes: 1_000 },
  };
  const after = (cacheReadTokens: number | null, cacheWriteTokens: number | null, model = "local/test"): string =>
    text(given, { before: step({ model, usage: { ...usage, cacheReadTokens, cacheWriteTokens } }) });

  expect(after(0, null)).toContain("reports no cache use");
  expect(after(4_096, null, "local/other")).toContain("reports no cache use");
  for (const lost of [after(4_096, null), after(0, 4_096), text(given, { before: undefined })])
    expect(lost.replaceAll(/\s+/g, " ")).toContain("the rest expired");
});

test("stepText reports an evicted cache when the provider read less than half", () => {
  const whole = { ...prefix, sizeBytes: 1_000, sharedBytes: 1_000 };
  const of = (inputTokens: number | null, cacheReadTokens: number | null, shared = whole): string =>
    text({ usage: { ...usage, inputTokens, cacheReadTokens }, prefix: shared });

  expect(of(2_048, 1_023)).toContain("prefix intact, but the vendor read only 1,023 tokens from its cache");
  for (const said of [
    of(2_048, 1_024),
    of(2_047, 0),
    of(4_000, 0, { ...prefix, sharedBytes: 500 }),
    of(null, 0),
    of(9_000, null),
  ])
    expect(said).not.toContain("as before");
  expect(text({ usage, prefix: null })).not.toContain("as before");
  expect(text({ usage: null, prefix: whole })).not.toContain("as before");
});
