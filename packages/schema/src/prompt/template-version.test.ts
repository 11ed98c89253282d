import { expect, test } from "bun:test";
import { templateChangeSchema } from "./template-version.ts";

test("templateChangeSchema accepts an author of 200 and a note of 1,000 characters, each one line", () => {
  const isTaken = (change: unknown): boolean => templateChangeSchema.safeParse(change).success;

  expect(isTaken({ author: "a".repeat(200), note: "n".repeat(1_000) })).toBe(true);
  expect([{ author: "a".repeat(201) }, { note: "n".repeat(1_001) }, { note: "a\nb" }].map(isTaken)).toEqual([
    false,
    false,
    false,
  ]);
});
