import type { Command } from "../controls/commands.ts";

/** Where there are many, each with the same acts, such as messages: those are done where they stand. */
const repeated = "article, li, dialog, [role=feed], details:not([open]) > :not(summary)";

/** What the view on the screen lets somebody do: its buttons and links, by the names that they have there. */
export function actsInView(): readonly Command[] {
  const found = new Map<string, HTMLElement | undefined>();
  for (const element of document.querySelectorAll<HTMLElement>("#content :is(button:enabled, a[href], summary)")) {
    if (element.parentElement?.closest(repeated) !== null || !element.checkVisibility()) continue;
    const name = element.getAttribute("aria-label") ?? element.textContent.trim();
    // Two of one name cannot be told apart.
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
