import type { JSX } from "preact";
import { useContext, useEffect, useMemo } from "preact/hooks";
import { CommandsContext, useCommands, type Command } from "../controls/commands.ts";
import { goTo } from "../place/place.ts";
import { words } from "../text/words.ts";
import { CommandPalette } from "./command-palette.tsx";
import { rooms } from "./rooms.ts";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";
import { areSingleKeysOn, isTyping } from "./single-keys.ts";

export type OpenCommands = "palette" | "shortcuts" | undefined;

interface CommandCenterProps {
  readonly open: OpenCommands;
  readonly onOpen: (change: (now: OpenCommands) => OpenCommands) => void;
  readonly onSignOut: () => void;
}

export function CommandCenter({ open, onOpen, onSignOut }: CommandCenterProps): JSX.Element {
  const said = words.commands;
  const registry = useContext(CommandsContext);
  useCommands([
    {
      id: "new",
      label: words.conversations.new,
      key: "n",
      run: () => goTo({ view: "conversations", id: undefined }),
    },
    { id: "shortcuts", label: said.shortcuts, key: "?", run: () => onOpen(() => "shortcuts") },
    ...rooms.map(({ view, label, place }) => ({ id: view, label: said.goTo(label), run: () => goTo(place) })),
    { id: "sign-out", label: words.session.out, run: onSignOut },
  ]);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const isPalette = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k";
      if (isPalette) {
        event.preventDefault();
        if (document.querySelector("dialog[open]") === null) onOpen(() => "palette");
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || !areSingleKeysOn()) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const command = registry?.all.find(({ key }) => key === event.key);
      if (command === undefined) return;
      event.preventDefault();
      command.run();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [registry]);
  // The close event is asynchronous: another dialog may be open.
  const close = (closed: OpenCommands): void => onOpen((now) => (now === closed ? undefined : now));
  // An open dialog blocks the view behind it.
  const commands = useMemo<readonly Command[]>(
    () => (open === undefined ? [] : [...(registry?.all ?? []), ...viewActions()]),
    [open],
  );
  return (
    <>
      {open === "palette" && <CommandPalette commands={withoutTwins(commands)} onClose={() => close("palette")} />}
      {open === "shortcuts" && <ShortcutsDialog commands={commands} onClose={() => close("shortcuts")} />}
    </>
  );
}

function withoutTwins(commands: readonly Command[]): readonly Command[] {
  const byLabel = new Map<string, Command>();
  for (const command of commands) if (!byLabel.has(command.label)) byLabel.set(command.label, command);
  return [...byLabel.values()];
}

/** Names of actions in repeated items are ambiguous. */
const repeated = "article, li, dialog, [role=feed], details:not([open]) > :not(summary)";

function viewActions(): readonly Command[] {
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
