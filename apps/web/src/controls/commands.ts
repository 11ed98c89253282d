import { createContext } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";

export interface Command {
  readonly id: string;
  readonly label: string;
  /** One key without Ctrl or Alt, as in `KeyboardEvent.key`. */
  readonly key?: string;
  readonly run: () => void;
}

/** Each view registers its own actions while mounted. */
export class Commands {
  readonly #given = new Map<object, readonly Command[]>();
  readonly #listeners = new Set<() => void>();

  /** An empty list removes them. */
  give(owner: object, commands: readonly Command[]): void {
    if (commands.length === 0) this.#given.delete(owner);
    else this.#given.set(owner, commands);
    for (const listener of this.#listeners) listener();
  }

  get all(): readonly Command[] {
    return [...this.#given.values()].flat();
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

export const CommandsContext = createContext<Commands | undefined>(undefined);

/** Always calls the latest `run`. */
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
