import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from "@earendil-works/pi-tui";
import { fuzzyFilter } from "@earendil-works/pi-tui";
import { routes } from "@incipit/transport-contract";
import type { Choice, TerminalCommand } from "../commands/command.ts";
import type { ConversationSession } from "../session/conversation-session.ts";

export interface CompletionOptions {
  readonly session: ConversationSession;
  readonly commands: readonly TerminalCommand[];
}

const maxItems = 50;

/** Completes `/COMMAND` at the beginning of a message, what may stand behind it, and `@FILE`. */
export class Completion implements AutocompleteProvider {
  readonly triggerCharacters = ["@"];
  readonly #options: CompletionOptions;

  constructor(options: CompletionOptions) {
    this.#options = options;
  }

  async getSuggestions(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
  ): Promise<AutocompleteSuggestions | null> {
    const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
    const call = cursorLine === 0 ? /^\/(?<name>\S*)(?<space>\s+(?<argument>.*))?$/.exec(before) : null;
    if (call?.groups === undefined) return null;
    const { name = "", space, argument = "" } = call.groups;
    if (space === undefined) return suggestions(await this.#commands(), `/${name}`, name);
    const command = this.#options.commands.find((one) => one.name === name);
    const choices = await command?.complete?.({ session: this.#options.session });
    return choices === undefined ? null : suggestions(choices.map(itemOf), argument, argument);
  }

  applyCompletion(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    item: AutocompleteItem,
    prefix: string,
  ): { lines: string[]; cursorLine: number; cursorCol: number } {
    const line = lines[cursorLine] ?? "";
    const start = cursorCol - prefix.length;
    const written = prefix.startsWith("/") ? `/${item.value} ` : item.value;
    const completed = `${line.slice(0, start)}${written}${line.slice(cursorCol)}`;
    return { lines: lines.with(cursorLine, completed), cursorLine, cursorCol: start + written.length };
  }

  async #commands(): Promise<AutocompleteItem[]> {
    const { session, commands } = this.#options;
    const own = await session.client
      .call(routes.listCommands, { query: { cwd: session.cwd } })
      .then(({ commands: listed }) => listed)
      .catch(() => []); // Its own commands can still be completed.
    return [
      ...commands.map(({ name, summary }) => ({ value: name, label: `/${name}`, description: summary })),
      ...own.map(({ name, description }) => ({ value: name, label: `/${name}`, description: description ?? "" })),
    ];
  }
}

function itemOf({ value, label, description }: Choice): AutocompleteItem {
  return { value, label, ...(description === undefined ? {} : { description }) };
}

function suggestions(items: AutocompleteItem[], prefix: string, query: string): AutocompleteSuggestions | null {
  const found = query === "" ? items : fuzzyFilter(items, query, ({ label }) => label);
  return found.length === 0 ? null : { items: found.slice(0, maxItems), prefix };
}
