import type { Clock } from "@incipit/kernel";
import type { ToolSource, ToolSourceAnswer } from "@incipit/service-contract";
import type { ConfiguredServer } from "./configured-server.ts";
import { answerTimeoutMs } from "./limits.ts";

/** Starts only servers that a conversation may use. */
export function toolSource(servers: readonly ConfiguredServer[], clock: Clock, folder: string): ToolSource {
  return {
    id: "mcp",
    async tools({ cwd, call, signal, ...asked }) {
      const wanted = wantedServers(servers, asked).filter(
        ({ name }) => call === undefined || call.startsWith(`${name}__`),
      );
      const place = folderOf({ cwd, ...asked }, folder);
      const lists = wanted.map((server) => (either: AbortSignal) => server.tools(place, either));
      return { ...(await toolsOf(lists, clock, signal)), servers: servers.map(({ name }) => name) };
    },
  };
}

/** Returns the working folder for a server; never one that the user did not choose. */
export function folderOf(
  { cwd, isImported = false }: { readonly cwd: string; readonly isImported?: boolean },
  hostFolder: string,
): string {
  return isImported ? hostFolder : cwd;
}

export function wantedServers(
  servers: readonly ConfiguredServer[],
  { mcpServers }: { readonly mcpServers?: readonly string[] },
): readonly ConfiguredServer[] {
  return servers.filter(({ name }) => mcpServers?.includes(name) !== false);
}

/** By name; a failing or slow server only loses its own tools. Never rejects. */
export async function toolsOf(
  servers: readonly ((signal: AbortSignal) => Promise<ToolSourceAnswer>)[],
  clock: Clock,
  signal: AbortSignal,
): Promise<ToolSourceAnswer> {
  const late = new AbortController();
  const cancel = clock.setTimer(() => late.abort(), answerTimeoutMs);
  const either = AbortSignal.any([signal, late.signal]);
  const answers = await Promise.all(servers.map((tools) => tools(either)));
  cancel();
  return {
    tools: answers.flatMap(({ tools }) => tools).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    problems: answers.flatMap(({ problems }) => problems),
  };
}
