import axe from "axe-core";
import type { Page } from "playwright-core";
import * as z from "zod";

const resultSchema = z.object({
  violations: z.array(
    z.object({ id: z.string(), help: z.string(), nodes: z.array(z.object({ html: z.string() })) }),
  ),
});

/** What axe finds against WCAG 2.2 AA in what is on the screen. */
export async function axeProblems(page: Page): Promise<readonly string[]> {
  // Not as an element of the page: its policy runs no scripts but the host's.
  await page.evaluate(axe.source);
  const tags = JSON.stringify(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]);
  const found = await page.evaluate(`axe.run(document, { runOnly: ${tags} })`);
  return resultSchema
    .parse(found)
    .violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" ")}`);
}
