import { sampleOf } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { axeProblems } from "./axe-problems.ts";
import { visitEveryView } from "./every-view.ts";

const looks = [
  { colorScheme: "light", width: 390 },
  { colorScheme: "light", width: 1_440 },
  { colorScheme: "dark", width: 390 },
  { colorScheme: "dark", width: 1_440 },
] as const;
const nameOf = ({ colorScheme, width }: (typeof looks)[number]): string => `${colorScheme}, ${width} pixels wide`;
const taken = sampleOf(looks.map(nameOf));

for (const look of looks)
  test.skipIf(!taken.has(nameOf(look)))(
    `[page-accessible] axe finds no violation on any view: ${nameOf(look)}`,
    async () => {
      const found: Record<string, readonly string[]> = {};
      await visitEveryView(look, async (view, page) => {
        const problems = await axeProblems(page);
        if (problems.length > 0) found[view] = problems;
      });

      expect(found).toEqual({});
    },
    1_800_000,
  );
