import axe from "axe-core";
import type { Page } from "playwright-core";
import * as z from "zod";

const resultSchema = z.object({
  violations: z.array(
    z.object({ id: z.string(), help: z.string(), nodes: z.array(z.object({ html: z.string() })) }),
  ),
});

export async function axeProblems(page: Page): Promise<readonly string[]> {
  // Evaluated, since the page's policy allows only scripts of the host.
  await page.evaluate(axe.source);
  const tags = JSON.stringify(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]);
  const found = await page.evaluate(`axe.run(document, { runOnly: ${tags} })`);
  return resultSchema
    .parse(found)
    .violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" ")}`);
}
