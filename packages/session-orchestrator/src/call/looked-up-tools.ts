import { errorMessage, KernelError } from "@incipit/kernel";
import { searchToolName, type MessagePart, type ModelMessage, type ToolDefinition } from "@incipit/schema";
import type { FoundTools, LookedUpTools } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { StepFailure } from "../failures/step-failure.ts";
import { foundInResult, type FoundInResult } from "../lookup/found-in-result.ts";
import type { FoundModel } from "../models/find-model.ts";
import type { DeferredRange } from "../store/tool-list.ts";

type ToolResult = Extract<MessagePart, { readonly type: "tool-result" }>;

interface Search {
  readonly toolCallId: string;
  readonly result: FoundInResult;
}

/**
 * The tools that a conversation looks up as its model's vendor takes them; `undefined`: its results tell of them in texts alone,
 * as they are stored. A result of which one tool is not in the epoch's own list stays a text: what came with an import, was
 * found elsewhere, or is of an earlier list makes no tool of the model's.
 *
 * @throws {StepFailure} `STORAGE_FAILED`, retryable, when the list cannot be read: as texts the request would begin
 * otherwise than the one before it and the one behind it. One that is damaged is gone, and so is one that the last attempt
 * cannot read: a conversation does not end for it.
 */
export async function lookedUpTools(
  { deferredLists, log }: Pick<OrchestratorContext, "deferredLists" | "log">,
  {
    found: { provider, name: model },
    deferred,
    messages,
    isLastAttempt,
  }: {
    readonly found: FoundModel;
    readonly deferred?: DeferredRange | undefined;
    readonly messages: readonly ModelMessage[];
    readonly isLastAttempt: boolean;
  },
): Promise<LookedUpTools | undefined> {
  const way = deferred === undefined ? undefined : provider.takesLookedUpTools?.({ model });
  if (deferred === undefined || way === undefined) return undefined;
  const { sha256 } = deferred;
  const searches = searchesIn(messages);
  try {
    if (way === "in-requests") {
      const named = await deferredLists.forRequests(sha256);
      return named.length === 0 ? undefined : { named, found: foundBy(searches, byName(named)) };
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

const namesOf = new WeakMap<readonly ToolDefinition[], ReadonlyMap<string, ToolDefinition>>();

function byName(tools: readonly ToolDefinition[]): ReadonlyMap<string, ToolDefinition> {
  const known = namesOf.get(tools) ?? new Map(tools.map((tool) => [tool.name, tool]));
  namesOf.set(tools, known);
  return known;
}

/** In their order. */
function searchesIn(messages: readonly ModelMessage[]): readonly Search[] {
  return messages.flatMap(({ role, parts }) => {
    if (role !== "tool") return [];
    return parts.flatMap((part): readonly Search[] => {
      const result = part.type === "tool-result" && part.name === searchToolName ? resultOf(part) : undefined;
      return part.type !== "tool-result" || result === undefined ? [] : [{ toolCallId: part.toolCallId, result }];
    });
  });
}

/** A result is one object as long as its conversation is loaded. */
const results = new WeakMap<ToolResult, { readonly found: FoundInResult | undefined }>();

function resultOf(part: ToolResult): FoundInResult | undefined {
  const known = results.get(part) ?? { found: part.isError ? undefined : foundInResult(part.output) };
  results.set(part, known);
  return known.found;
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
