import { expect, test } from "bun:test";
import { fileDiff } from "./file-diff.ts";

test("[attack:bounds-diff-lines] fileDiff rejects texts with a million line breaks", async () => {
  const from = "\n".repeat(1_000_000);

  expect(await fileDiff("a", { from, to: `${from}x` })).toBe(
    '"a" changes in too much to show: 1000001 lines, 1000000 bytes become 1000001 lines, 1000001 bytes',
  );
  // Control: as many characters in fewer lines are diffed.
  const few = `${"\n".repeat(40_000)}${"x".repeat(960_000)}`;
  expect(await fileDiff("a", { from: few, to: `${few}\nx` })).toContain("\n+x\n");
});
