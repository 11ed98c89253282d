import type { Command } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { useState } from "preact/hooks";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";

const beginning = /^\/([\w-]*)$/;

export interface SuggestedCommands {
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
  const { loaded } = useLoad(
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
