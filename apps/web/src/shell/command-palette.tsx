import type { Conversation } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Command } from "../controls/commands.ts";
import { useModal } from "../controls/use-modal.ts";
import { goTo } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useLoad, useRoute, useSettled } from "../session/use-load.ts";
import { words } from "../text/words.ts";

const shownAtOnce = 50;
const conversationsListed = 100;
const searchDelayMs = 150;
const pageSteps = 10;

interface PaletteProps {
  readonly commands: readonly Command[];
  readonly onClose: () => void;
}

export function CommandPalette({ commands, onClose }: PaletteProps): JSX.Element {
  const said = words.commands;
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const dialog = useModal();
  const list = useRef<HTMLUListElement>(null);
  const conversations = useConversations(typed);
  const options = useMemo(
    () => optionsFor(typed, [...commands, ...conversations.map(conversationCommand)]),
    [typed, commands, conversations],
  );
  const at = Math.min(chosen, options.length - 1);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: "nearest" }), [at, options]);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    // Restores the focus first; the command may move it.
    dialog.current?.close();
    command.run();
  };
  const move = (by: number): void => setChosen(Math.max(0, Math.min(options.length - 1, at + by)));
  return (
    <dialog ref={dialog} class="palette" aria-label={said.title} onClose={onClose}>
      <input
        type="text"
        role="combobox"
        autoComplete="off"
        spellcheck={false}
        aria-label={said.label}
        aria-expanded="true"
        aria-controls="palette-options"
        aria-autocomplete="list"
        aria-activedescendant={at >= 0 ? `palette-option-${at}` : undefined}
        placeholder={said.hint}
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          const steps = stepsOf(event.key);
          if (steps !== 0) {
            event.preventDefault();
            move(steps);
          } else if (event.key === "Enter" && !event.isComposing) {
            event.preventDefault();
            run(options[at]);
          }
        }}
      />
      <p class="unseen" role="status">
        {said.found(options.length)}
      </p>
      {options.length === 0 && <p class="quiet">{said.none}</p>}
      <ul ref={list} id="palette-options" role="listbox" aria-label={said.title}>
        {options.map((command, index) => (
          <li
            key={command.id}
            id={`palette-option-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => run(command)}
          >
            <span dir="auto">{command.label}</span>
            {command.key !== undefined && <kbd aria-hidden="true">{command.key}</kbd>}
          </li>
        ))}
      </ul>
    </dialog>
  );
}

function stepsOf(key: string): number {
  return { ArrowDown: 1, ArrowUp: -1, PageDown: pageSteps, PageUp: -pageSteps }[key] ?? 0;
}

function conversationCommand({ id, title }: Conversation): Command {
  const name = title ?? words.conversations.untitled;
  return { id, label: words.commands.conversation(name), run: () => goTo({ view: "conversations", id }) };
}

function useConversations(typed: string): readonly Conversation[] {
  const search = useSettled(typed.trim(), searchDelayMs);
  const newest = useRoute(routes.listConversations, { query: { limit: conversationsListed } });
  const found = useLoad(
    async (signal) => {
      if (search === "") return [];
      const query = { q: search, limit: shownAtOnce };
      return (await api.call(routes.searchConversations, { query, signal })).results;
    },
    [search],
  );
  const listed = newest.known?.conversations;
  const results = found.known;
  return useMemo(() => {
    const all = [...(listed ?? []), ...(results ?? []).map(({ conversation }) => conversation)];
    return [...new Map(all.map((conversation) => [conversation.id, conversation])).values()];
  }, [listed, results]);
}

/** Returns the commands that match all words, prefix matches first. */
function optionsFor(typed: string, commands: readonly Command[]): readonly Command[] {
  const sought = typed.trim().toLocaleLowerCase();
  const parts = sought.split(/\s+/);
  const fitting = commands.filter(({ label }) => {
    const name = label.toLocaleLowerCase();
    return parts.every((part) => name.includes(part));
  });
  const isFirst = ({ label }: Command): boolean => label.toLocaleLowerCase().startsWith(sought);
  return [...fitting.filter(isFirst), ...fitting.filter((command) => !isFirst(command))].slice(0, shownAtOnce);
}
