import { createContext } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";

/** Something that can be done by name, and with a key where it has one. */
export interface Command {
  readonly id: string;
  readonly label: string;
  /** One key without Ctrl or Alt, as `KeyboardEvent.key` names it. */
  readonly key?: string;
  readonly run: () => void;
}

/** What can be done where somebody is: each view says what it can while it is on the screen. */
export class Commands {
  readonly #given = new Map<object, readonly Command[]>();
  readonly #listeners = new Set<() => void>();

  /** Replaces what `owner` gave before; nothing takes all of it back. */
  give(owner: object, commands: readonly Command[]): void {
    if (commands.length === 0) this.#given.delete(owner);
    else this.#given.set(owner, commands);
    for (const listener of this.#listeners) listener();
  }

  get all(): readonly Command[] {
    return [...this.#given.values()].flat();
  }

  /** Gives what ends it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

export const CommandsContext = createContext<Commands | undefined>(undefined);

/** Offers commands while the view that calls it is on the screen; `run` is the newest one given. */
export function useCommands(commands: readonly Command[]): void {
  const registry = useContext(CommandsContext);
  const newest = useRef(commands);
  newest.current = commands;
  const [owner] = useState({});
  const names = commands.map(({ id, label, key }) => `${id} ${label} ${key ?? ""}`).join("\n");
  useEffect(() => {
    const run = (id: string): void => newest.current.find((command) => command.id === id)?.run();
    registry?.give(
      owner,
      newest.current.map((command) => ({ ...command, run: () => run(command.id) })),
    );
    return () => registry?.give(owner, []);
  }, [registry, names]);
}
