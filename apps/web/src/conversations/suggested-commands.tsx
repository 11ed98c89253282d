import type { Command } from "@incipit/schema";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { routes } from "@incipit/transport-contract";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { words } from "../text/words.ts";

export const suggestionsId = "composer-commands";

export function suggestionId(at: number): string {
  return `composer-command-${at}`;
}

interface SuggestedProps {
  readonly commands: readonly Command[];
  readonly at: number;
  readonly onTake: (command: Command) => void;
}

/** The message field keeps the focus and marks the active option. */
export function SuggestedCommandList({ commands, at, onTake }: SuggestedProps): JSX.Element {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: "nearest" }), [at, commands]);
  return (
    <ul ref={list} id={suggestionsId} class="suggested" role="listbox" aria-label={words.composer.commands}>
      {commands.map((command, index) => (
        <li
          key={command.name}
          id={suggestionId(index)}
          role="option"
          aria-selected={index === at}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(command)}
        >
          <span>
            {`/${command.name}`}
            {command.argumentHint !== null && <span dir="auto">{` ${command.argumentHint}`}</span>}
          </span>
          <span dir="auto">{command.description ?? ""}</span>
        </li>
      ))}
    </ul>
  );
}

const beginning = /^\/([\w-]*)$/;

interface SuggestedCommands {
  /** Empty for a complete name. */
  readonly commands: readonly Command[];
  readonly at: number;
  choose(at: number): void;
  close(): void;
}

/** The folder's commands are loaded once a slash is typed. */
export function useSuggestedCommands(text: string, cwd: string): SuggestedCommands {
  const [chosen, setChosen] = useState({ text: "", at: 0 });
  const [closedFor, setClosedFor] = useState<string>();
  const isBegun = text.startsWith("/");
  const loaded = useLoad(
    async (signal) => {
      if (!isBegun) return [];
      const query = cwd === "" ? {} : { cwd };
      return (await api.call(routes.listCommands, { query, signal })).commands;
    },
    [isBegun, cwd],
  );
  const known = loaded.state === "ready" ? loaded.value : [];
  const typed = beginning.exec(text)?.[1]?.toLowerCase();
  const fitting = known.filter(({ name }) => typed !== undefined && name.toLowerCase().startsWith(typed));
  const isOver = closedFor === text || fitting.some(({ name }) => `/${name}` === text);
  const commands = isOver ? [] : fitting;
  return {
    commands,
    at: chosen.text === text ? Math.min(chosen.at, commands.length - 1) : 0,
    choose: (at) => setChosen({ text, at: Math.max(0, Math.min(commands.length - 1, at)) }),
    close: () => setClosedFor(text),
  };
}
