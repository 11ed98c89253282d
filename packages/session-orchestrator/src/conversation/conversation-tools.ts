import type { ConversationTools, ToolDefinition } from "@incipit/schema";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "./loaded-conversation.ts";
import { storedTools } from "./epoch-tools.ts";
import { liveToolList } from "../tools/live-tool-list.ts";
import { toolRulesOf } from "../tools/tool-rules.ts";

/** Longest wait for a source by one who only looks. */
const lookTimeoutMs = 2_000;

/** What the requests of this epoch name, and what those of the next one would. Stores nothing. */
export async function conversationTools(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  signal: AbortSignal,
): Promise<ConversationTools> {
  const { id, cwd, importedAt } = conversation.record;
  const kept = await storedTools(conversation);
  const { list, problems } = await liveToolList(context, {
    conversationId: id,
    cwd,
    isImported: importedAt !== null,
    rules: toolRulesOf(conversation.record),
    timeoutMs: lookTimeoutMs,
    signal,
  });
  const sent = kept ?? list;
  const before = byName(sent.tools);
  const live = byName(list.tools);
  return {
    tools: sent.tools.map((tool) => ({ ...tool, isAvailable: live.has(tool.name) })),
    sha256: kept?.sha256 ?? null,
    next: {
      added: [...live.keys()].filter((name) => !before.has(name)),
      removed: [...before.keys()].filter((name) => !live.has(name)),
      changed: [...live].filter(([name, text]) => (before.get(name) ?? text) !== text).map(([name]) => name),
      problems: [...problems],
    },
  };
}

function byName(tools: readonly ToolDefinition[]): ReadonlyMap<string, string> {
  return new Map(tools.map((tool) => [tool.name, JSON.stringify(tool)]));
}
