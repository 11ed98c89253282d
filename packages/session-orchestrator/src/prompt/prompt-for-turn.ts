import { sha256Hex } from "@incipit/common";
import type { Explain, TurnId } from "@incipit/schema";
import type { SystemPromptService } from "@incipit/service-contract";
import { callPromptBuilder } from "../call/call-prompt-builder.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import type { TurnRequest } from "../store/stored.ts";
import { prepareNewPrompt, storeNewPrompt } from "./new-prompt.ts";
import { promptAgent } from "./prompt-agent.ts";

export interface SentPrompt {
  readonly texts: readonly string[];
  readonly requestTierSha256: string | null;
  readonly isBuilderAbsent: boolean;
  readonly promptBefore?: Explain | undefined;
}

interface TurnPromptRequest {
  readonly turnId: TurnId;
  readonly request: TurnRequest;
  readonly model: string;
  readonly isNewEpoch: boolean;
  readonly signal: AbortSignal;
}

/** A new prompt before the conversation's first model call, the stored one afterwards, byte for byte. */
export async function promptForTurn(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  { turnId, request, model, isNewEpoch, signal }: TurnPromptRequest,
): Promise<SentPrompt> {
  const { record, hasSteps } = conversation;
  const isNew = !isNewEpoch && (!hasSteps || context.defaults.promptRefresh === "turn");
  const ask = <Answer>(question: (builder: SystemPromptService) => Promise<Answer>): Promise<Answer | undefined> =>
    callPromptBuilder(context.systemPrompt, question, signal);
  let promptBefore: Explain | undefined;
  let prompt: string | undefined;
  if (isNew) {
    const reason = hasSteps ? "turn-refresh" : "first-turn";
    if (hasSteps) promptBefore = await explainedBefore(ask, record.id);
    const prepared = await prepareNewPrompt(context, conversation, { model, reason, signal });
    if (prepared !== undefined) await storeNewPrompt(conversation, prepared, { turnId, reason });
    prompt = prepared?.text;
  } else {
    const stored = await ask((builder) => builder.get(record.id));
    prompt = stored === null ? "" : stored;
  }
  const facts = { isBuilderAbsent: prompt === undefined, promptBefore };
  const own = prompt === undefined || prompt === "" ? [] : [prompt];
  const { system, systemMode: mode = "replace" } = request;
  if (system === undefined) return { texts: own, requestTierSha256: null, ...facts };
  const tier = { system, mode };
  const promptContext = { model, signal, ...promptAgent(record) };
  const texts =
    (await ask((builder) => builder.applyRequestTier(record.id, record.cwd, tier, promptContext))) ?? system;
  const requestTierSha256 = sha256Hex(JSON.stringify({ system, systemMode: mode }));
  return { texts: texts.filter((text) => text !== ""), requestTierSha256, ...facts };
}

/** For the audit only: failures are ignored. */
async function explainedBefore(
  ask: <Answer>(question: (builder: SystemPromptService) => Promise<Answer>) => Promise<Answer | undefined>,
  conversationId: string,
): Promise<Explain | undefined> {
  try {
    return (await ask((builder) => builder.explain(conversationId, { areTokensEstimated: true }))) ?? undefined;
  } catch {
    return undefined;
  }
}
