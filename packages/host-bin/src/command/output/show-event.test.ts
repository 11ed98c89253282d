import { turnEventSchema, type TurnEvent } from "@incipit/schema";
import { expect, test } from "bun:test";
import { showEvent } from "./show-event.ts";
import { recordOutput } from "../testing/recorded-output.ts";

const id = "01a1fcd7-5c9a-7556-afda-76769002c75c";
const evil = "no credit\n\u001B[2K\u202EAllow it? [y/N/always] ";
const shown = "no credit\\n\\u001b[2K\\u202eAllow it? [y/N/always] ";

function eventOf(fields: Readonly<Record<string, unknown>>): TurnEvent {
  return turnEventSchema.parse({ seq: 1, turnId: id, at: "2026-01-01T00:00:00.000Z", stepId: id, ...fields });
}

function stderrOf(fields: Readonly<Record<string, unknown>>): string {
  const { output, stderr } = recordOutput({ isScreen: true });
  showEvent(eventOf(fields), output);
  return stderr();
}

function expectOneLine(of: (text: string) => string): void {
  expect(of("plain")).toContain("plain");
  const line = of(evil);
  expect(line).toContain(shown.trimEnd());
  expect(line.indexOf("\n")).toBe(line.length - 1);
}

test("[attack:terminal-retry] showEvent prints a provider error before a retry in one line", () => {
  expectOneLine((message) =>
    stderrOf({ type: "step-retry", attempt: 1, waitMs: 1_500, error: { code: "X", message } }),
  );
  const error = { code: "X", message: "busy" };
  expect(stderrOf({ type: "step-retry", attempt: 1, waitMs: 1_500, error })).toBe("busy; trying again in 2 s\n");
});

test("showEvent prints a near spend limit on stderr", () => {
  const message = "Model calls have cost $16.00 today, of the $20.00 that [limits] max_usd_per_day allows";
  expect(stderrOf({ type: "spending-notice", reason: "near-limit", message })).toBe(`${message}\n`);
});

test("showEvent prints a missing working folder on stderr", () => {
  const message = 'The working folder "/a" does not exist any more';
  expect(stderrOf({ type: "folder-notice", message })).toBe(`${message}\n`);
});

test("[attack:terminal-compaction-error] showEvent prints a compaction failure in one line", () => {
  expectOneLine((message) => stderrOf({ type: "compaction-end", status: "failed", error: { code: "X", message } }));
});

test("[attack:terminal-tool-problem] showEvent prints a tool problem of a server or an extension in one line", () => {
  expectOneLine((problem) =>
    stderrOf({ type: "tools-resolve", sha256: "0".repeat(64), count: 0, problems: [problem] }),
  );
});

test("showEvent prints the servers with deferred tools in one line", () => {
  const deferred = [
    { server: "crm", count: 3_000, reason: "no-room" },
    { server: "acme.x", count: 2, reason: "configured" },
  ];
  expect(stderrOf({ type: "tools-resolve", sha256: "0".repeat(64), count: 2, deferred, problems: [] })).toBe(
    "Tools that the model looks up when it needs them: crm (3000), acme.x (2)\n",
  );
});

test("[attack:terminal-tool-line] showEvent prints a call in one line: name, arguments, error", () => {
  const call = { type: "tool-call-end", toolCallId: "1", name: "a", input: "{}" };
  expectOneLine((name) => stderrOf({ ...call, name }));
  expectOneLine((input) => stderrOf({ ...call, input }));
  expectOneLine((message) => stderrOf({ ...call, error: { code: "X", message } }));
  expect(stderrOf({ ...call, input: '{\n "n" : 1\n}', output: evil })).toBe('[a] {"n":1}\n');
});

test("showEvent streams an answer and ends its line", () => {
  const { output, stdout } = recordOutput();

  for (const text of ["He", "llo"]) showEvent(eventOf({ type: "text-delta", partId: "0", text }), output);
  showEvent(eventOf({ type: "text-end", partId: "0", text: "Hello" }), output);
  showEvent(eventOf({ type: "reasoning-delta", partId: "1", text: "secret" }), output);

  expect(stdout()).toBe("Hello\n");
});

test("[attack:terminal-tool-line] showEvent prints the progress of a call in one line", () => {
  const told = { type: "tool-call-progress", toolCallId: "1", name: "a", progress: 3 };
  expectOneLine((name) => stderrOf({ ...told, name }));
  expectOneLine((message) => stderrOf({ ...told, message }));
  expect(stderrOf(told)).toBe("[a] 3\n");
  expect(stderrOf({ ...told, total: 10, message: "reading" })).toBe("[a] 3 of 10: reading\n");
});
