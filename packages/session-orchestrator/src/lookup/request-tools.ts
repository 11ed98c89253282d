import type { ToolDefinition } from "@incipit/schema";
import type { DeferredTool } from "./deferred-tool.ts";

/**
 * What one request carries of tools that are looked up, where a vendor wants them there: Anthropic takes 10,000 of them
 * (https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool#limits). The bytes are the host's own bound:
 * each step uploads them.
 */
const maxInRequest = 10_000;
const maxInRequestBytes = 1_048_576;

/**
 * Those of a list that stand in each request, by name: whole servers, the smallest first, as long as they fit. The same list has
 * the same ones, so that the bytes of the requests are the same for a whole epoch.
 */
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
