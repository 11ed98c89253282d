import { expect, test } from "bun:test";
import { systemTextsSchema } from "./system-texts.ts";

test("systemTextsSchema accepts a string, or a list of up to 1,000", () => {
  const texts = (count: number): string[] => Array.from({ length: count }, () => "a");

  for (const taken of ["a", "", [], texts(1_000)]) expect(systemTextsSchema.safeParse(taken).data).toEqual(taken);
  for (const refused of [texts(1_001), null, 1, ["a", 1]])
    expect(systemTextsSchema.safeParse(refused).success).toBe(false);
});
