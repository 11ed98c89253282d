import type { Locator, Page } from "playwright-core";

/** Longest wait for the page; slow machines meet it, and a page that does not is reported. */
export const longestWaitMs = 120_000;

/** Resolves after two animation frames, when the page has drawn its state. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}

/**
 * Waits until an expression holds in the page. Polls per frame, since the page's policy blocks injected waiting code.
 * @throws when it does not hold within `longestWaitMs`; the message has the expression.
 */
export async function until(page: Page, condition: string): Promise<void> {
  const deadline = performance.now() + longestWaitMs;
  while ((await page.evaluate(condition)) !== true) {
    if (performance.now() > deadline) throw new Error(`Waited ${longestWaitMs} ms in vain for ${condition}`);
    await drawn(page);
  }
}

/** Opens all folds. Uses handles, because opened content may contain folds that shift the others. */
export async function unfoldAll(within: Page | Locator): Promise<void> {
  for (const summary of await within.locator("summary").elementHandles()) {
    await summary.click();
    // The fold may have moved from under the pointer.
    if ((await summary.evaluate("(one) => one.isConnected && !one.parentElement.open")) === true)
      await summary.click();
  }
}
