import { callToolName, searchToolName, type ConversationTools, type ToolDefinition } from "@incipit/schema";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "./loaded-conversation.ts";
import type { DeferredTool } from "../lookup/deferred-tool.ts";
import { storedTools } from "./epoch-tools.ts";
import { leftOutToolsOf } from "./omitted-tools.ts";
import { liveToolList } from "../tools/live-tool-list.ts";
import { toolRulesOf } from "../tools/tool-rules.ts";

const lookTimeoutMs = 2_000;

/** This epoch's tools, and the differences in the next one. Stores nothing. */
export async function conversationTools(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  signal: AbortSignal,
): Promise<ConversationTools> {
  const { id, cwd, importedAt, model } = conversation.record;
  const kept = await storedTools(conversation);
  const live = await liveToolList(context, {
    conversationId: id,
    cwd,
    isImported: importedAt !== null,
    rules: toolRulesOf(conversation.record),
    timeoutMs: lookTimeoutMs,
    signal,
  });
  const sent = kept ?? live.list;
  const keptRange = kept?.deferred;
  const deferred =
    kept === undefined
      ? live.deferred
      : keptRange === undefined
        ? []
        : // If the stored list is unreadable, tool search uses live tools.
          ((await context.deferredLists.read(keptRange.sha256))?.tools ?? live.deferred);
  const before = byName(sent.tools, deferred);
  const after = byName(live.list.tools, live.deferred);
  // The tool search tools are available throughout the epoch.
  const own = new Set(sent.deferred === undefined ? [] : [searchToolName, callToolName]);
  const byServer = Map.groupBy(deferred, ({ server }) => server);
  return {
    tools: sent.tools.map((tool) => ({ ...tool, isAvailable: after.has(tool.name) || own.has(tool.name) })),
    leftOut: [...leftOutToolsOf(context, { model, tools: sent.tools })],
    deferred: (sent.deferred?.servers ?? []).map(({ server, reason }) => ({
      server,
      reason,
      tools: (byServer.get(server) ?? []).map(({ definition: { name } }) => ({
        name,
        isAvailable: after.has(name),
      })),
    })),
    sha256: kept?.sha256 ?? null,
    next: {
      added: [...after.keys()].filter((name) => !before.has(name)),
      removed: [...before.keys()].filter((name) => !after.has(name)),
      changed: [...after].filter(([name, text]) => (before.get(name) ?? text) !== text).map(([name]) => name),
      problems: [...live.problems],
    },
  };
}

function byName(tools: readonly ToolDefinition[], deferred: readonly DeferredTool[]): ReadonlyMap<string, string> {
  return new Map([
    ...tools.map((tool) => [tool.name, JSON.stringify(tool)] as const),
    ...deferred.map(({ definition }) => [definition.name, `deferred ${JSON.stringify(definition)}`] as const),
  ]);
}
