import { expect, test } from "bun:test";
import { runAgainst, type RanAgainst } from "../testing/run-command.ts";

const createdAt = "2026-01-01T12:30:00.000Z";
const first = { version: 1, createdAt, sha256: "a".repeat(64), sizeBytes: 9, author: "ada", note: "first" };
const away = { version: 2, createdAt, sha256: null, sizeBytes: 0, author: null, note: null };
const nothing = { versions: [], current: null, damaged: [] };

function list(...pages: readonly unknown[]): Promise<RanAgainst> {
  return runAgainst(["prompt", "versions"], ...pages);
}

test("prompt versions lists all pages and names unreadable versions", async () => {
  const { stdout, stderr } = await list(
    { versions: [away], current: null, damaged: [4], nextCursor: "more" },
    { versions: [first], current: 1, damaged: [3] },
  );

  expect(stdout).toBe(
    "     2  2026-01-01 12:30 UTC     taken away  -\n*    1  2026-01-01 12:30 UTC        9 bytes  ada  first\n",
  );
  expect(stderr).toBe(
    "The record of version 4 cannot be read; it stays in the data folder as it is\nThe record of version 3 cannot be read; it stays in the data folder as it is\n",
  );
});

test("prompt versions reports an empty list, unless a version is unreadable", async () => {
  expect((await list(nothing)).stderr).toBe("No template was ever stored\n");
  expect((await list({ ...nothing, damaged: [1] })).stderr).not.toContain("No template");
});

test("prompt diff explains an empty difference", async () => {
  const same = { from: 1, to: 2, hunks: [], unified: "", isMinimal: true };
  const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-a", "+b"] };
  const large = { ...same, hunks: [hunk], unified: "-a\n+b\n", isMinimal: false };
  for (const [answer, out, err] of [
    [same, "", "The texts are the same\n"],
    [large, "-a\n+b\n", "They differ in too much to look for the fewest lines\n"],
  ] as const) {
    expect(await runAgainst(["prompt", "diff", "2"], answer)).toMatchObject({ stdout: out, stderr: err });
  }
});
