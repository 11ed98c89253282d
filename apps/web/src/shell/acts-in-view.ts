import type { Command } from "../controls/commands.ts";

/** Containers of repeated items, such as messages, whose actions are ambiguous by name. */
const repeated = "article, li, dialog, [role=feed], details:not([open]) > :not(summary)";

/** Returns the buttons and links of the visible view as commands. */
export function actsInView(): readonly Command[] {
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
