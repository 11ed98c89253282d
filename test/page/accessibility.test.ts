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

test("[page-accessible] axe finds nothing on any view, light and dark, narrow and wide", async () => {
  for (const [colorScheme, width] of [
    ["light", 390],
    ["light", 1440],
    ["dark", 390],
    ["dark", 1440],
  ] as const) {
    const found = new Map<string, readonly string[]>();
    await visitEveryView({ colorScheme, width }, async (view, page) => {
      found.set(view, await problemsOf(page));
    });

    expect(found.size).toBe(23);
    for (const [view, problems] of found)
      expect({ view, colorScheme, width, problems }).toEqual({ view, colorScheme, width, problems: [] });
  }
}, 180_000);
