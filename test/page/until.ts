import type { Locator, Page } from "playwright-core";

/** Longest wait for anything that a page is to show: slow machines get there, and a page that never does is named. */
export const longestWaitMs = 120_000;

/** Resolves when two frames have gone by in which the page could draw what it heard of. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}

/**
 * Waits until an expression holds in the page. A frame at a time: the page's policy lets nobody else's code wait in it.
 * @throws when it does not within `longestWaitMs`; the message has the expression.
 */
export async function until(page: Page, condition: string): Promise<void> {
  const deadline = performance.now() + longestWaitMs;
  while ((await page.evaluate(condition)) !== true) {
    if (performance.now() > deadline) throw new Error(`Waited ${longestWaitMs} ms in vain for ${condition}`);
    await drawn(page);
  }
}

/** Opens what is folded now. What stands in it may have folds of its own by then, which would move the places of the others. */
export async function unfoldAll(within: Page | Locator): Promise<void> {
  for (const summary of await within.locator("summary").elementHandles()) {
    await summary.click();
    // What was drawn meanwhile may have moved it from under the pointer.
    if ((await summary.evaluate("(one) => one.isConnected && !one.parentElement.open")) === true)
      await summary.click();
  }
}
