import type { ToolDefinition } from "@incipit/schema";
import type { DeferredTool } from "./deferred-tool.ts";

/**
 * Limits of deferred tools in one request: Anthropic accepts 10,000
 * (https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool#limits). The byte limit is ours,
 * because each step uploads them.
 */
const maxInRequest = 10_000;
const maxInRequestBytes = 1_048_576;

/** Selects whole servers, smallest first. Deterministic, so that requests stay identical within an epoch. */
export function requestTools(deferred: readonly DeferredTool[]): readonly ToolDefinition[] {
  const groups = [...Map.groupBy(deferred, ({ server }) => server)].map(([server, tools]) => ({
    server,
    tools,
    sizeBytes: tools.reduce((sum, { definition }) => sum + Buffer.byteLength(JSON.stringify(definition)), 0),
  }));
  const taken: ToolDefinition[] = [];
  let sizeBytes = 0;
  for (const group of groups.toSorted((a, b) => a.sizeBytes - b.sizeBytes || (a.server < b.server ? -1 : 1))) {
    if (taken.length + group.tools.length > maxInRequest || sizeBytes + group.sizeBytes > maxInRequestBytes)
      continue;
    sizeBytes += group.sizeBytes;
    taken.push(...group.tools.map(({ definition }) => definition));
  }
  return taken.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
