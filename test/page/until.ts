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

/** Uses handles, because opened content may contain folds that shift the others. */
export async function unfoldAll(within: Page | Locator): Promise<void> {
  for (const summary of await within.locator("summary").elementHandles()) {
    await summary.click();
    // The fold may have moved from under the pointer.
    if ((await summary.evaluate("(one) => one.isConnected && !one.parentElement.open")) === true)
      await summary.click();
  }
}
