import { auditedStepSchema, type AuditedStep } from "@incipit/schema";
import { expect, test } from "bun:test";
import { bareRecord } from "../testing/bare-record.ts";
import { recordOutput } from "../testing/recorded-output.ts";
import { IntactRun } from "@incipit/cli-text";

function step(verdict: AuditedStep["verdict"]): AuditedStep {
  return auditedStepSchema.parse({ ...bareRecord.audit, verdict });
}

function recorded(options: Parameters<typeof recordOutput>[0]): {
  readonly run: IntactRun;
  readonly stdout: () => string;
} {
  const { output, stdout } = recordOutput(options);
  const out = (text: string, verdict: AuditedStep["verdict"]): void =>
    output.out(verdict === "broken" ? { style: "warning", text } : text);
  return { run: new IntactRun({ out, all: "--json" }), stdout };
}

function written(count: number, options: Parameters<typeof recordOutput>[0] = {}): readonly string[] {
  const { run, stdout } = recorded(options);
  for (let number = 1; number <= count; number += 1) run.add(step("held"), `${number}\n`);
  run.end();
  return stdout().trimEnd().split("\n");
}

test("IntactRun prints up to ten intact steps, and abbreviates longer runs with a count", () => {
  expect(written(10)).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
  expect(written(11)).toEqual([
    "1",
    "2",
    "3",
    "     …  5 more with an intact prefix (--json has all)",
    "9",
    "10",
    "11",
  ]);
});

test("IntactRun prints every other step in place and marks a break on a screen", () => {
  const { run, stdout } = recorded({ isScreen: true });

  run.add(step("held"), "1\n");
  run.add(step("held"), "2\n   with a remark\n");
  run.add(step("broken"), "3\n");
  run.add(step("expected"), "4\n");
  run.add(step("held"), "5\n");
  run.end();

  expect(stdout()).toBe("1\n2\n   with a remark\n\u001B[33m3\u001B[39m\n4\n5\n");
});
