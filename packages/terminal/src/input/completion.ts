import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from "@earendil-works/pi-tui";
import { fuzzyFilter } from "@earendil-works/pi-tui";
import { routes } from "@incipit/transport-contract";
import type { Choice, TerminalCommand } from "../commands/command.ts";
import type { TerminalSession } from "../session/terminal-session.ts";
import { disguisedControls, undisguised } from "./editor-encoding.ts";
import { fittedItems } from "./fitted-items.ts";
import { MentionCompletion } from "./mention-completion.ts";

export interface CompletionOptions {
  readonly session: TerminalSession;
  readonly commands: readonly TerminalCommand[];
  readonly columns: () => number;
}

const maxItems = 50;
const nameBefore = /(?<=^|[\s(['`{<])@(?:"(?<quoted>[^"]*)|(?<bare>[^\s"'`<>]*))$/;

export class Completion implements AutocompleteProvider {
  readonly triggerCharacters = ["@"];
  readonly #options: CompletionOptions;
  readonly #things: MentionCompletion;
  #offered: AutocompleteSuggestions = { items: [], prefix: "" };

  constructor(options: CompletionOptions) {
    this.#options = options;
    this.#things = new MentionCompletion(options.session.client);
  }

  get isDecided(): boolean {
    const { items, prefix } = this.#offered;
    return items.length === 1 || items.some(({ value }) => value === prefix);
  }

  async getSuggestions(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
  ): Promise<AutocompleteSuggestions | null> {
    const found = await this.#found(lines, { cursorLine, cursorCol });
    this.#offered = found ?? { items: [], prefix: "" };
    if (found === null) return null;
    const { items, prefix } = found;
    return { items: fittedItems(items, { prefix, columns: this.#options.columns() }), prefix };
  }

  async #found(
    lines: readonly string[],
    { cursorLine, cursorCol }: { readonly cursorLine: number; readonly cursorCol: number },
  ): Promise<AutocompleteSuggestions | null> {
    const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
    const named = nameBefore.exec(before);
    if (named !== null) {
      const query = undisguised(named.groups?.["quoted"] ?? named.groups?.["bare"] ?? "");
      const items = await this.#things.items(query, this.#options.session.cwd);
      return items.length === 0 ? null : { items, prefix: named[0] };
    }
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
    const written = disguisedControls(prefix.startsWith("/") ? `/${item.value} ` : item.value);
    const rest = line.slice(cursorCol);
    // Avoids repeating a quote or space.
    const after = written.endsWith(" ") && /^["\s]/.test(rest) ? rest.replace(/^"?\s?/, "") : rest;
    const completed = `${line.slice(0, start)}${written}${after}`;
    return { lines: lines.with(cursorLine, completed), cursorLine, cursorCol: start + written.length };
  }

  async #commands(): Promise<AutocompleteItem[]> {
    const { session, commands } = this.#options;
    const own = await session.client
      .call(routes.listCommands, { query: { cwd: session.cwd } })
      .then(({ commands: listed }) => listed)
      .catch(() => []); // The terminal's own commands can still be completed.
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
