import type { Command } from "../controls/commands.ts";

/** Names of actions in repeated items are ambiguous. */
const repeated = "article, li, dialog, [role=feed], details:not([open]) > :not(summary)";

export function viewActions(): readonly Command[] {
  const found = new Map<string, HTMLElement | undefined>();
  for (const element of document.querySelectorAll<HTMLElement>("#content :is(button:enabled, a[href], summary)")) {
    if (element.parentElement?.closest(repeated) !== null || !element.checkVisibility()) continue;
    const name = element.getAttribute("aria-label") ?? element.textContent.trim();
    // Ambiguous names are dropped.
    if (name !== "") found.set(name, found.has(name) ? undefined : element);
  }
  return [...found].flatMap(([name, element], index) => {
    if (element === undefined) return [];
    const run = (): void => {
      element.focus();
      element.click();
    };
    return [{ id: `act-${index}`, label: name, run }];
  });
}
