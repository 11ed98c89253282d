import type { LintFinding } from "@incipit/schema";
import { expect, test } from "bun:test";
import { answeringHost, refusal } from "../testing/answering-host.ts";
import { lintIfThere, summary } from "./findings.ts";

const args = { cwd: undefined, model: undefined, profile: undefined };

function finding(severity: LintFinding["severity"]): LintFinding {
  const place = { line: 1, column: 1, offset: 0, length: 1, replacement: null };
  return { ...place, code: "volatile", severity, message: "It changes", fix: "Leave it out" };
}

test("lintIfThere returns no findings without lint, and forwards other errors", async () => {
  const without = answeringHost(refusal("SERVICE_UNAVAILABLE")).client;
  const failing = answeringHost(refusal("INTERNAL")).client;

  expect(await lintIfThere(without, args, "text")).toMatchObject({ findings: [], omitted: 0 });
  expect(await lintIfThere(failing, args, "text").catch((error: unknown) => error)).toMatchObject({
    code: "INTERNAL",
  });
});

test("summary counts findings by severity and mentions omitted ones", () => {
  const all = [finding("warning"), finding("error"), finding("info"), finding("error")];

  expect(summary({ findings: all, omitted: 0, source: "" })).toBe("2 errors, 1 warning, 1 remark");
  expect(summary({ findings: [finding("error")], omitted: 1, source: "" })).toBe(
    "1 error, 1 more that are not shown",
  );
  expect(summary({ findings: [], omitted: 0, source: "" })).toBe("nothing to say");
});
