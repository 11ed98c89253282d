import type { Locator, Page } from "playwright-core";

/** Slow machines finish within it. */
export const longestWaitMs = 120_000;

/** After two animation frames, the page has drawn its state. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}

/**
 * Polls per frame, since the page's policy blocks injected waiting code.
 * @throws when the condition does not hold within `longestWaitMs`.
 */
export async function until(page: Page, condition: string): Promise<void> {
  const deadline = performance.now() + longestWaitMs;
  while ((await page.evaluate(condition)) !== true) {
    if (performance.now() > deadline) throw new Error(`Waited ${longestWaitMs} ms in vain for ${condition}`);
    await drawn(page);
  }
}

/**
 * Opens one fold at a time: each shifts the others, and a click at a place that has moved can close another one.
 * @throws when folds stay closed.
 */
export async function unfoldAll(within: Page | Locator): Promise<void> {
  const closed = within.locator("details:not([open]) > summary");
  for (let left = 1_000; (await closed.count()) > 0; left--) {
    if (left === 0) throw new Error(`${await closed.count()} folds stay closed`);
    await closed.first().click();
  }
}
