import { beforeAll, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import * as z from "zod";
import { visitEveryView } from "./every-view.ts";

const width = 1_440;
const height = 800;

/**
 * https://www.w3.org/TR/WCAG22/#reflow. Code and tables may be wider than the window in focusable scroll containers.
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

const passing: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`${RegExp.escape(tmpdir())}/incipit-\\w+`, "g"), "FOLDER"],
  [new RegExp(RegExp.escape(process.execPath), "g"), "BUN"],
  [new RegExp(RegExp.escape(join(import.meta.dir, "../..")), "g"), "REPOSITORY"],
  [/(?<=\w)\/\d+\.\d+\.\d+/g, "/VERSION"],
  // A reply present at load is not announced.
  [/- status: The reply is complete\./g, "- status"],
  // Prompts contain the folder's path.
  [/\b[\d,]+ (bytes|tokens)\b/g, "N $1"],
  [/\b(?:\d+|under 1) %/g, "N %"],
  [new RegExp(`\\b${process.platform}\\b`, "g"), "SYSTEM"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "ID"],
  [/\b[0-9a-f]{64}\b/g, "SHA256"],
  [/incipit_[\w-]{20,}/g, "TOKEN"],
  [/ · \d+ calls? in flight/g, ""],
  [/127\.0\.0\.1:\d+/g, "ADDRESS"],
  [/(?<=textbox "Time zone": ).+/g, "ZONE"],
  [/\b[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d{2}:\d{2}\s[AP]M/g, "TIME"],
  [/\bjust now\b|\b\d+ (?:minutes?|hours?) ago\b/g, "AGO"],
  [/\b\d{4}-\d{2}-\d{2}\b/g, "DAY"],
  [/\b\d+(?:\.\d+)? s\b/g, "DURATION"],
  // Whether a resized view shows its end depends on timing.
  [/^ *- button "Jump to the newest"\n/gm, ""],
  // Bodies and definitions are long and tested elsewhere.
  [/^(.{160}).+$/gm, "$1…"],
];

const trees = new Map<string, string>();
const overEdges: Record<string, readonly string[]> = {};

beforeAll(async () => {
  await visitEveryView({ colorScheme: "light", width }, async (view, page) => {
    // The surroundings are the same in all views.
    const place = trees.has("new conversation") ? "main" : "body";
    const tree = await page.locator(place).ariaSnapshot();
    trees.set(
      view,
      passing.reduce((text, [what, instead]) => text.replaceAll(what, instead), tree),
    );
    const note = async (how: string): Promise<void> => {
      const over = await edgesOf(page);
      if (over.length > 0) overEdges[`${view}, ${how}`] = over;
    };
    for (const wide of [320, 2_560]) {
      await page.setViewportSize({ width: wide, height });
      await note(`${wide} pixels`);
    }
    await page.setViewportSize({ width, height });
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    await note("text of twice the size");
    await page.evaluate("document.documentElement.style.fontSize = ''");
    await page.evaluate("document.documentElement.dir = 'rtl'");
    await note("from right to left");
    await page.evaluate("document.documentElement.dir = ''");
  });
}, 1_800_000);

test("[page-layout] every view fits 320 and 2,560 pixels, double text size and right-to-left text", () => {
  expect(trees.size).toBeGreaterThan(0);
  expect(overEdges).toEqual({});
});

test("[page-accessible] the accessibility tree of each view matches its snapshot", () => {
  for (const [view, tree] of trees) expect(tree).toMatchSnapshot(view);
});
