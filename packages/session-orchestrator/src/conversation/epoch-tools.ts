import type { StorageWrite } from "@incipit/kernel";
import type { ToolDefinition, TurnId } from "@incipit/schema";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "./loaded-conversation.ts";
import type { FoundModel } from "../models/find-model.ts";
import { liveToolList } from "../tools/live-tool-list.ts";
import { toolRulesOf } from "../tools/tool-rules.ts";
import { storeDeferredTools } from "../store/deferred-tools.ts";
import { keys } from "../store/stored.ts";
import { readToolList, type ToolList } from "../store/tool-list.ts";

/**
 * The tools that each request of this epoch names: those that there were at its first one, whatever comes, goes or changes
 * after that. They are stored when this resolves.
 */
export async function epochTools(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  { turnId, found, signal }: { readonly turnId: TurnId; readonly found: FoundModel; readonly signal: AbortSignal },
): Promise<ToolList> {
  const kept = await storedTools(conversation);
  if (kept !== undefined) return kept;
  const { id, cwd, importedAt, toolsSha256 } = conversation.record;
  const { toolSourceTimeoutMs: timeoutMs } = context.settings;
  const { list, deferredText, problems } = await liveToolList(context, {
    conversationId: id,
    cwd,
    isImported: importedAt !== null,
    rules: toolRulesOf(conversation.record),
    timeoutMs,
    signal,
  });
  signal.throwIfAborted();
  if (toolsSha256 !== null) {
    context.log.error("The tool list of a conversation is damaged: another one was made", { id, toolsSha256 });
    problems.unshift("The list that this epoch began with is damaged: this one takes its place");
  }
  const { sha256, text, tools, deferred } = list;
  for (const { name, reason } of refusedTools(found, tools)) {
    context.log.warn("A tool is left out of requests", {
      conversation: id,
      model: conversation.record.model,
      tool: name,
      reason,
    });
    problems.push(`The tool "${name}" is left out for this model: ${reason}`);
  }
  // Before the list names it: what an epoch can look up is there whenever its list is.
  if (deferred !== undefined) await storeDeferredTools(context.storage, deferredText, context.clock.now());
  const writes: StorageWrite[] = [];
  if ((await readToolList(context.storage, sha256)) === undefined)
    writes.push({ kind: "set", key: keys.toolList(sha256), value: text });
  const isWorthTelling = tools.length > 0 || problems.length > 0;
  const lookedUp = deferred === undefined ? {} : { deferred: [...deferred.servers] };
  const event = { type: "tools-resolve", turnId, sha256, count: tools.length, ...lookedUp, problems } as const;
  await conversation.changeRecord(
    (record) => ({ ...record, toolsSha256: sha256 }),
    (write) => conversation.log.append(isWorthTelling ? [event] : [], [...writes, write]),
  );
  conversation.toolLists.remember(list);
  return list;
}

/** The tools that the model's provider leaves out of requests; they stay in the list, for another model may accept them. */
function refusedTools(
  { provider, name: model }: FoundModel,
  tools: readonly ToolDefinition[],
): readonly { readonly name: string; readonly reason: string }[] {
  return tools.flatMap((tool) => {
    const reason = provider.refusesTool?.({ model, tool });
    return reason === undefined ? [] : [{ name: tool.name, reason }];
  });
}

/** The list that this epoch has begun with; `undefined`: it has not begun, or the list cannot be read. */
export async function storedTools({ record, toolLists }: LoadedConversation): Promise<ToolList | undefined> {
  return record.toolsSha256 === null ? undefined : toolLists.read(record.toolsSha256);
}
