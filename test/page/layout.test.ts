import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import * as z from "zod";
import { visitEveryView } from "./every-view.ts";

const width = 1_024;
const height = 800;

/**
 * What people would have to scroll sideways, line by line, and what is cut off (https://www.w3.org/TR/WCAG22/#reflow). Code and
 * tables may be wider than the window: they scroll in a place of their own, which the keyboard reaches.
 */
const overTheEdge = `(() => {
  const isAllowed = (element) => element.matches("pre, [role=region][tabindex='0'], [role=group][tabindex='0'], .unseen");
  const { clientWidth } = document.documentElement;
  return [document.documentElement, ...document.body.querySelectorAll("*")]
    .filter((element) => {
      const { overflowX, textOverflow, display } = getComputedStyle(element);
      if (display === "inline" || element.getClientRects().length === 0 || isAllowed(element)) return false;
      const isWider = element.scrollWidth > element.clientWidth + 1;
      if (element === document.documentElement) return isWider;
      return isWider && overflowX !== "visible" && textOverflow !== "ellipsis";
    })
    .map((element) => element.outerHTML.slice(0, 160));
})()`;

async function edgesOf(page: Page): Promise<readonly string[]> {
  return z.array(z.string()).parse(await page.evaluate(overTheEdge));
}

test("[page-layout] every view fits 320 and 2,560 pixels, twice the size of text, and text from right to left", async () => {
  const found: Record<string, readonly string[]> = {};
  const note = async (view: string, how: string, page: Page): Promise<void> => {
    const over = await edgesOf(page);
    if (over.length > 0) found[`${view}, ${how}`] = over;
  };
  let views = 0;
  await visitEveryView({ colorScheme: "light", width }, async (view, page) => {
    views += 1;
    for (const wide of [320, 2_560]) {
      await page.setViewportSize({ width: wide, height });
      await note(view, `${wide} pixels`, page);
    }
    await page.setViewportSize({ width, height });
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    await note(view, "text of twice the size", page);
    await page.evaluate("document.documentElement.style.fontSize = ''");
    await page.evaluate("document.documentElement.dir = 'rtl'");
    await note(view, "from right to left", page);
    await page.evaluate("document.documentElement.dir = ''");
  });

  expect(views).toBe(23);
  expect(found).toEqual({});
}, 120_000);
