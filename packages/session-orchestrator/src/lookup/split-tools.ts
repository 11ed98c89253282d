import { type DeferredServer, type DeferReason } from "@incipit/schema";

/** Per server, regardless of the configuration; no vendor accepts more. */
const maxShown = 500;
const maxShownBytes = 1024 * 1024;

/** Per epoch; all are loaded for the first search after a start. */
const maxDeferred = 20_000;
const maxDeferredBytes = 32 * 1024 * 1024;

const ownTools = 2;

export interface FoundTool {
  readonly name: string;
  readonly text: string;
  readonly server: string | undefined;
  readonly defer: boolean | undefined;
}

export interface SplitTools {
  readonly shown: readonly FoundTool[];
  readonly deferred: readonly (FoundTool & { readonly server: string })[];
  readonly servers: readonly DeferredServer[];
  readonly problems: readonly string[];
}

interface Group {
  readonly server: string;
  readonly tools: readonly (FoundTool & { readonly server: string })[];
  readonly sizeBytes: number;
  readonly defer: boolean | undefined;
}

/**
 * A server's tools stay together, so that the model finds related ones in one place; the smallest servers come first.
 */
export function splitTools(
  found: readonly FoundTool[],
  { maxBytes, max }: { readonly maxBytes: number; readonly max: number },
): SplitTools {
  const always = found.filter(({ server }) => server === undefined);
  const groups = groupsOf(found);
  const size = sizeOf(found);
  const isAllShown =
    size <= maxBytes && found.length <= max && groups.every((group) => group.defer !== true && !isTooMuch(group));
  if (isAllShown) return { shown: found, deferred: [], servers: [], problems: [] };
  let leftBytes = maxBytes - sizeOf(always);
  let left = max - always.length - ownTools;
  const take = ({ tools, sizeBytes }: Group): void => {
    leftBytes -= sizeBytes;
    left -= tools.length;
  };
  const deferred = new Map<Group, DeferReason>();
  for (const group of groups) {
    if (group.defer === true) deferred.set(group, "configured");
    else if (isTooMuch(group)) deferred.set(group, group.defer === false ? "too-many" : "no-room");
    else if (group.defer === false) take(group);
  }
  const asRoom = groups.filter((group) => group.defer === undefined && !deferred.has(group));
  for (const group of asRoom.toSorted((a, b) => a.sizeBytes - b.sizeBytes || (a.server < b.server ? -1 : 1))) {
    if (group.sizeBytes <= leftBytes && group.tools.length <= left) take(group);
    else deferred.set(group, "no-room");
  }
  return withinLimits(found, deferred);
}

function withinLimits(found: readonly FoundTool[], reasons: ReadonlyMap<Group, DeferReason>): SplitTools {
  const deferred: (FoundTool & { readonly server: string })[] = [];
  const servers: DeferredServer[] = [];
  const problems: string[] = [];
  let sizeBytes = 0;
  for (const [{ server, tools }, reason] of [...reasons].toSorted(([a], [b]) => (a.server < b.server ? -1 : 1))) {
    let count = 0;
    for (const tool of tools) {
      sizeBytes += Buffer.byteLength(tool.text);
      if (deferred.length >= maxDeferred || sizeBytes > maxDeferredBytes) break;
      deferred.push(tool);
      count += 1;
    }
    if (count > 0) servers.push({ server, count, reason });
    if (count < tools.length)
      problems.push(
        `The tools of "${server}": ${tools.length - count} of ${tools.length} are left out, as no more than ${maxDeferred} tools with ${maxDeferredBytes / 1_048_576} MiB can be looked up; say which you need (enabled_tools)`,
      );
  }
  const names = new Set([...reasons.keys()].map(({ server }) => server));
  return {
    shown: found.filter(({ server }) => server === undefined || !names.has(server)),
    deferred: deferred.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    servers,
    problems,
  };
}

function groupsOf(found: readonly FoundTool[]): readonly Group[] {
  const deferrable = found.flatMap((tool) => (tool.server === undefined ? [] : [{ ...tool, server: tool.server }]));
  return [...Map.groupBy(deferrable, ({ server }) => server)].map(([server, tools]) => ({
    server,
    tools,
    sizeBytes: sizeOf(tools),
    defer: tools[0]?.defer,
  }));
}

function isTooMuch({ tools, sizeBytes }: Group): boolean {
  return tools.length > maxShown || sizeBytes > maxShownBytes;
}

function sizeOf(tools: readonly FoundTool[]): number {
  return tools.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
}
