import type { Command } from "@incipit/schema";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
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
