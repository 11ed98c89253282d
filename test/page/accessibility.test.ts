import { takeShare } from "@incipit/testkit";
import axe from "axe-core";
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as z from "zod";
import { visitEveryView } from "./every-view.ts";

const resultSchema = z.object({
  violations: z.array(
    z.object({ id: z.string(), help: z.string(), nodes: z.array(z.object({ html: z.string() })) }),
  ),
});

/** What axe finds against WCAG 2.2 AA in what is on the screen. */
async function problemsOf(page: Page): Promise<readonly string[]> {
  // Not as an element of the page: its policy runs no scripts but the host's.
  await page.evaluate(axe.source);
  const tags = JSON.stringify(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]);
  const found = await page.evaluate(`axe.run(document, { runOnly: ${tags} })`);
  return resultSchema
    .parse(found)
    .violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" ")}`);
}

const looks = [
  { colorScheme: "light", width: 390 },
  { colorScheme: "light", width: 1_440 },
  { colorScheme: "dark", width: 390 },
  { colorScheme: "dark", width: 1_440 },
] as const;
const nameOf = ({ colorScheme, width }: (typeof looks)[number]): string => `${colorScheme}, ${width} pixels wide`;
const taken = takeShare(looks.map(nameOf));

for (const look of looks)
  test.skipIf(!taken.has(nameOf(look)))(
    `[page-accessible] axe finds nothing on any view: ${nameOf(look)}`,
    async () => {
      const found: Record<string, readonly string[]> = {};
      await visitEveryView(look, async (view, page) => {
        const problems = await problemsOf(page);
        if (problems.length > 0) found[view] = problems;
      });

      expect(found).toEqual({});
    },
    1_800_000,
  );
