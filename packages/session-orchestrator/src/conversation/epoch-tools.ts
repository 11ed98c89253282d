import type { StorageWrite } from "@incipit/kernel";
import { leftOutToolText, type DeferredServer, type TurnId } from "@incipit/schema";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "./loaded-conversation.ts";
import type { FoundModel } from "../models/find-model.ts";
import { liveToolList } from "../tools/live-tool-list.ts";
import { toolRulesOf } from "../tools/tool-rules.ts";
import { storeDeferredTools } from "../store/deferred-tools.ts";
import { keys } from "../store/stored.ts";
import { readToolList, type ToolList } from "../store/tool-list.ts";
import { omittedTools } from "./omitted-tools.ts";

interface EpochToolsOptions {
  readonly turnId: TurnId;
  readonly found: FoundModel;
  readonly model: string;
  readonly signal: AbortSignal;
}

/**
 * Those available at the epoch's first request, regardless of later changes; stored before it resolves.
 * `tools-resolve` reports tools that the vendor rejects, for the epoch's first model and after each switch.
 */
export async function epochTools(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  options: EpochToolsOptions,
): Promise<ToolList> {
  const kept = await storedTools(conversation);
  if (kept !== undefined) {
    if (conversation.record.toolsModel !== options.model) await checkForModel(context, conversation, kept, options);
    return kept;
  }
  const { turnId, model, signal } = options;
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
    context.log.error("The tool list of a conversation is damaged: created a new one", { id, toolsSha256 });
    problems.unshift("The list that this epoch began with is damaged: this one takes its place");
  }
  const { sha256, text, deferred } = list;
  problems.push(...leftOutProblems(context, conversation, list, options));
  // Stored before the list that refers to it.
  if (deferred !== undefined) await storeDeferredTools(context.storage, deferredText, context.clock.now());
  const writes: StorageWrite[] = [];
  if ((await readToolList(context.storage, sha256)) === undefined)
    writes.push({ kind: "set", key: keys.toolList(sha256), value: text });
  const isWorthTelling = list.tools.length > 0 || problems.length > 0;
  const event = { type: "tools-resolve", turnId, ...factsOf(list), problems } as const;
  await conversation.changeRecord(
    (record) => ({ ...record, toolsSha256: sha256, toolsModel: model }),
    (write) => conversation.log.append(isWorthTelling ? [event] : [], [...writes, write]),
  );
  conversation.toolLists.remember(list);
  return list;
}

async function checkForModel(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  list: ToolList,
  options: EpochToolsOptions,
): Promise<void> {
  const { turnId, model } = options;
  const problems = leftOutProblems(context, conversation, list, options);
  const event = { type: "tools-resolve", turnId, ...factsOf(list), problems } as const;
  await conversation.changeRecord(
    (record) => ({ ...record, toolsModel: model }),
    (write) => conversation.log.append(problems.length > 0 ? [event] : [], [write]),
  );
}

function factsOf({ sha256, tools, deferred }: ToolList): {
  readonly sha256: string;
  readonly count: number;
  readonly deferred?: DeferredServer[];
} {
  const lookedUp = deferred === undefined ? {} : { deferred: [...deferred.servers] };
  return { sha256, count: tools.length, ...lookedUp };
}

function leftOutProblems(
  { log }: OrchestratorContext,
  { record }: LoadedConversation,
  { tools }: ToolList,
  { found, model }: EpochToolsOptions,
): string[] {
  return omittedTools(found, tools).map((tool) => {
    const { name, reason } = tool;
    log.warn("A tool is omitted from requests", { conversation: record.id, model, tool: name, reason });
    return leftOutToolText(tool);
  });
}

export async function storedTools({ record, toolLists }: LoadedConversation): Promise<ToolList | undefined> {
  return record.toolsSha256 === null ? undefined : toolLists.read(record.toolsSha256);
}
