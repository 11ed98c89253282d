import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { findModel, type FoundModel } from "../models/find-model.ts";

export interface SummaryModel {
  readonly model: string;
  readonly window: number | undefined;
}

/**
 * The conversation's own model, and, if the history exceeds its window, the previous one if available and large
 * enough.
 */
export async function summaryModels(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  { model, signal }: { readonly model: string; readonly signal: AbortSignal },
): Promise<{ readonly own: SummaryModel; readonly larger: SummaryModel | undefined }> {
  const windowOf = (found: FoundModel): Promise<number | undefined> => context.windows.of(found, { signal });
  const own = { model, window: await windowOf(findModel(context.providers, model)) };
  if (own.window === undefined || conversation.contextTokens <= own.window) return { own, larger: undefined };
  const last = conversation.history.findLast(
    ({ role, model: by }) => role === "assistant" && by !== undefined,
  )?.model;
  if (last === undefined || last === model) return { own, larger: undefined };
  const slash = last.indexOf("/");
  if (!context.providers.current.some(({ value }) => value.id === last.slice(0, slash)))
    return { own, larger: undefined };
  const window = await windowOf(findModel(context.providers, last));
  const hasRoom = window === undefined || window > conversation.contextTokens;
  return { own, larger: hasRoom ? { model: last, window } : undefined };
}
