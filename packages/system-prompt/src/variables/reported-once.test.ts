import { expect, test } from "bun:test";
import { ReportedOnce } from "./reported-once.ts";

test("isNew() remembers a thousand entries, and always returns true for further ones", () => {
  const reported = new ReportedOnce();
  const ask = (from: number, to: number): readonly boolean[] =>
    Array.from({ length: to - from }, (_, index) => reported.isNew("variable", String(from + index)));

  expect(ask(0, 1_001)).not.toContain(false);
  expect(ask(0, 1_000)).not.toContain(true);
  expect([reported.isNew("variable", "1000"), reported.isNew("variable", "1000")]).toEqual([true, true]);
});
