import type { StorageWrite } from "@incipit/kernel";
import {
  leftOutToolText,
  type DeferredServer,
  type TurnId,
  type OmittedTool,
  type ToolDefinition,
  callToolName,
  searchToolName,
  type ConversationTools,
} from "@incipit/schema";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "./loaded-conversation.ts";
import { type FoundModel, findModel } from "../models/find-model.ts";
import { liveToolList } from "../tools/live-tool-list.ts";
import { toolsQuery } from "../tools/tool-rules.ts";
import { storeDeferredTools } from "../store/deferred-tools.ts";
import { keys } from "../store/stored.ts";
import { readToolList, type ToolList } from "../store/tool-list.ts";
import { ServiceError } from "@incipit/service-contract";
import type { DeferredTool } from "../lookup/tool-index.ts";

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
  const { id, toolsSha256 } = conversation.record;
  const { toolSourceTimeoutMs: timeoutMs } = context.settings;
  const { list, deferredText, problems } = await liveToolList(context, {
    ...toolsQuery(conversation.record),
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

function omittedTools(
  { provider, name: model }: FoundModel,
  tools: readonly ToolDefinition[],
): readonly OmittedTool[] {
  return tools.flatMap((tool) => {
    const reason = provider.refusesTool?.({ model, tool });
    return reason === undefined ? [] : [{ name: tool.name, reason }];
  });
}

export function leftOutToolsOf(
  { providers }: Pick<OrchestratorContext, "providers">,
  { model, tools }: { readonly model: string; readonly tools: readonly ToolDefinition[] },
): readonly OmittedTool[] {
  try {
    return omittedTools(findModel(providers, model), tools);
  } catch (error) {
    if (ServiceError.is(error)) return [];
    throw error;
  }
}

const lookTimeoutMs = 2_000;

/** This epoch's tools, and the differences in the next one. Stores nothing. */
export async function conversationTools(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  signal: AbortSignal,
): Promise<ConversationTools> {
  const { model } = conversation.record;
  const kept = await storedTools(conversation);
  const live = await liveToolList(context, {
    ...toolsQuery(conversation.record),
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
