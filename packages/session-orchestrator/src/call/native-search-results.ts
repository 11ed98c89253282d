import { errorMessage, KernelError } from "@incipit/kernel";
import { searchToolName, type ModelMessage, type ToolDefinition } from "@incipit/schema";
import type { FoundTools, DeferredTools } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { StepFailure } from "../failures/step-failure.ts";
import type { DeferredLists } from "../lookup/deferred-lists.ts";
import type { FoundInResult } from "../lookup/search-answer.ts";
import type { FoundModel } from "../models/find-model.ts";
import type { DeferredRange } from "../store/tool-list.ts";

interface Search {
  readonly toolCallId: string;
  readonly result: FoundInResult;
}

/**
 * `undefined`: send text, as for a tool outside the epoch's list (from an import or an earlier list).
 *
 * @throws {StepFailure} `STORAGE_FAILED`, retryable, when the list cannot be read: text would change the request
 * prefix. A damaged list, or one unreadable at the last attempt, falls back to text.
 */
export async function nativeSearchResults(
  { deferredLists, log }: Pick<OrchestratorContext, "deferredLists" | "log">,
  {
    found: { provider, name: model },
    deferred,
    messages,
    isLastAttempt,
  }: {
    readonly found: FoundModel;
    readonly deferred: DeferredRange;
    readonly messages: readonly ModelMessage[];
    readonly isLastAttempt: boolean;
  },
): Promise<DeferredTools | undefined> {
  const way = provider.takesLookedUpTools?.({ model });
  if (way === undefined) return undefined;
  const { sha256 } = deferred;
  const searches = searchesIn(messages, deferredLists);
  try {
    if (way === "in-requests") {
      const named = await deferredLists.forRequests(sha256);
      return named.length === 0 ? undefined : { named, found: foundBy(searches, deferredLists.byName(named)) };
    }
    if (searches.length === 0) return undefined;
    const names = new Set(searches.flatMap(({ result }) => result.names));
    return { named: [], found: foundBy(searches, await deferredLists.named(sha256, names)) };
  } catch (error) {
    if (!isLastAttempt && !KernelError.is(error)) {
      const message = `Cannot read the tools that are looked up: ${errorMessage(error)}`;
      throw new StepFailure({ code: "STORAGE_FAILED", message, isRetryable: true });
    }
    log.warn("What is looked up cannot be read: its results are told as texts", { error: errorMessage(error) });
    return undefined;
  }
}

function searchesIn(messages: readonly ModelMessage[], lists: DeferredLists): readonly Search[] {
  return messages.flatMap(({ role, parts }) => {
    if (role !== "tool") return [];
    return parts.flatMap((part): readonly Search[] => {
      if (part.type !== "tool-result" || part.name !== searchToolName) return [];
      const result = lists.foundIn(part);
      return result === undefined ? [] : [{ toolCallId: part.toolCallId, result }];
    });
  });
}

function foundBy(
  searches: readonly Search[],
  tools: ReadonlyMap<string, ToolDefinition>,
): ReadonlyMap<string, FoundTools> {
  const found = new Map<string, FoundTools>();
  for (const { toolCallId, result } of searches) {
    const definitions = result.names.flatMap((name) => tools.get(name) ?? []);
    if (definitions.length === result.names.length)
      found.set(toolCallId, { tools: definitions, more: result.more });
  }
  return found;
}
