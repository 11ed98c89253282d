import { expect, test } from "bun:test";
import { describeCut } from "./cut-reason.ts";

test("describeCut appends the vendor's explanation on one line without a full stop", () => {
  const plain = describeCut("content-filter");

  expect(describeCut("content-filter", "Not\nthis one. ")).toBe(`${plain}; vendor message: Not this one`);
  expect(describeCut("content-filter", " \n")).toBe(plain);
});
