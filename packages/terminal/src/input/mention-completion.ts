import { fuzzyMatch, type AutocompleteItem } from "@earendil-works/pi-tui";
import { routes, type Client } from "@incipit/transport-contract";
import { readdir } from "node:fs/promises";
import { harmless } from "../transcript/block.ts";
import { hiddenIn } from "./editor-encoding.ts";
import { absolute } from "./file-mentions.ts";
import { FolderFiles } from "./folder-files.ts";

const maxEntries = 5_000;
const maxItems = 50;

export class MentionCompletion {
  readonly #files = new FolderFiles();
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** A complete name yields nothing. */
  async items(query: string, cwd: string): Promise<AutocompleteItem[]> {
    const [, server, rest] = /^([A-Za-z0-9_-]{1,32}):(.*)$/s.exec(query) ?? [];
    if (server !== undefined) return this.#resources(server, rest ?? "");
    const isPath = /^(?:~|\.{1,2})?\//.test(query);
    const names = isPath ? await entriesAt(query, cwd) : await this.#files.below(cwd);
    if (names.includes(query) && !query.endsWith("/")) return [];
    const files = best(names.filter(canBeWritten), query).map((name) => ({
      value: fileWord(name),
      label: harmless(name),
    }));
    return isPath ? files : [...files, ...(await this.#servers(query))].slice(0, maxItems);
  }

  async #servers(query: string): Promise<AutocompleteItem[]> {
    const { servers } = await this.#client.call(routes.listToolServers).catch(() => ({ servers: [] }));
    return servers
      .filter(({ name }) => name.toLowerCase().startsWith(query.toLowerCase()))
      .map(({ name }) => ({
        value: `@${name}:`,
        label: `${name}:`,
        description: "resource of an MCP server",
      }));
  }

  async #resources(server: string, query: string): Promise<AutocompleteItem[]> {
    const { resources } = await this.#client
      .call(routes.listResources, { params: { name: server } })
      .catch(() => ({ resources: [] }));
    const whole = resources.filter(({ isTemplate, uri }) => !isTemplate && !/\s/.test(uri) && hiddenIn(uri) === 0);
    if (whole.some(({ uri }) => uri === query)) return [];
    return best(
      whole.map(({ uri }) => uri),
      query,
    ).map((uri) => {
      const description = whole.find((one) => one.uri === uri)?.description;
      return {
        value: `@${server}:${uri} `,
        label: harmless(`${server}:${uri}`),
        ...(description === null || description === undefined ? {} : { description: harmless(description) }),
      };
    });
  }
}

/** Returns whether a name can be written: on one line, without quotation marks. */
function canBeWritten(name: string): boolean {
  return !/["\n]/.test(name);
}

function fileWord(name: string): string {
  const word = /^[^\s"'`<>]*[^\s"'`<>.,;:!?)\]}]$/.test(name) ? `@${name}` : `@"${name}"`;
  return name.endsWith("/") ? word.replace(/"$/, "") : `${word} `;
}

async function entriesAt(query: string, cwd: string): Promise<readonly string[]> {
  const folder = query.slice(0, query.lastIndexOf("/") + 1);
  const isHiddenWanted = query.slice(folder.length).startsWith(".");
  const entries = await readdir(absolute(folder, cwd), { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => isHiddenWanted || !name.startsWith("."))
    .slice(0, maxEntries)
    .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? "/" : ""}`)
    .toSorted();
}

function best(names: readonly string[], query: string): readonly string[] {
  if (query === "")
    return names
      .filter((name) => !name.slice(0, -1).includes("/"))
      .toSorted()
      .slice(0, maxItems);
  const last = query.slice(query.lastIndexOf("/") + 1).toLowerCase();
  const scored = names.flatMap((name) => {
    const { matches, score } = fuzzyMatch(query, name);
    if (!matches) return [];
    const base = name.replace(/\/$/, "").replace(/^.*\//s, "").toLowerCase();
    const bonus = last !== "" && base.startsWith(last) ? 1_000 : last !== "" && base.includes(last) ? 500 : 0;
    return [{ name, score: score - bonus }];
  });
  return scored
    .toSorted((one, other) => one.score - other.score || one.name.length - other.name.length)
    .slice(0, maxItems)
    .map(({ name }) => name);
}
