import { sha256Hex } from "@incipit/common";
import {
  type Explain,
  type TurnId,
  type PromptReason,
  type RebuildOutcome,
  type RebuildPromptRequest,
  type ConversationId,
  type CreateConversationRequest,
  type UpdateConversationRequest,
  turnIdSchema,
} from "@incipit/schema";
import {
  type SystemPromptService,
  type PreparedPrompt,
  type PromptContext,
  ServiceError,
} from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import type { TurnRequest, StoredConversation } from "../store/stored.ts";
import type { StorageWrite, ServiceReference, StorageBatch } from "@incipit/kernel";
import { required, unavailable } from "../failures/service-errors.ts";

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

/** Returns the explanation of the earlier prompt, for the audit only: failures are ignored. */
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

interface NewPromptRequest {
  readonly model: string;
  readonly reason: PromptReason;
  readonly by?: string | undefined;
  readonly note?: string | undefined;
  readonly signal: AbortSignal;
}

export function prepareNewPrompt(
  context: OrchestratorContext,
  { record }: LoadedConversation,
  { by, note, signal, ...request }: NewPromptRequest,
): Promise<PreparedPrompt | undefined> {
  const { id, cwd } = record;
  const promptContext = {
    ...request,
    signal,
    ...promptAgent(record),
    ...(by === undefined ? {} : { by }),
    ...(note === undefined ? {} : { note }),
  };
  return callPromptBuilder(context.systemPrompt, (builder) => builder.prepare(id, cwd, promptContext), signal);
}

function storeNewPrompt(
  { log }: LoadedConversation,
  { sha256, sizeBytes, batch }: PreparedPrompt,
  {
    turnId,
    reason,
    writes = [],
  }: { readonly turnId: TurnId; readonly reason: PromptReason; readonly writes?: readonly StorageWrite[] },
): Promise<void> {
  return log.append([{ type: "prompt-resolve", turnId, sha256, sizeBytes, reason }], writes, [batch]);
}

/**
 * If the builder is unloaded during the call, retries with its replacement.
 *
 * @throws the error of a builder that is still loaded, or of an abort.
 */
export async function callPromptBuilder<Answer>(
  reference: ServiceReference<SystemPromptService>,
  ask: (builder: SystemPromptService) => Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer | undefined> {
  for (;;) {
    const builder = reference.current;
    if (builder === undefined) return undefined;
    try {
      return await ask(builder);
    } catch (error) {
      if (signal?.aborted === true || reference.current === builder) throw error;
    }
  }
}

export function promptAgent({
  profile,
  skills,
  mcpServers,
  allowedTools: allowed,
  deniedTools: denied = [],
  importedAt,
}: Pick<
  StoredConversation,
  "profile" | "skills" | "mcpServers" | "allowedTools" | "deniedTools" | "importedAt"
>): Pick<PromptContext, "profile" | "skills" | "mcpServers" | "tools" | "isImported"> {
  const imported = importedAt === null ? {} : { isImported: true };
  const tools = { allowed, denied };
  if (profile !== null)
    return { profile, skills: skills ?? null, mcpServers: mcpServers ?? null, tools, ...imported };
  return {
    ...(mcpServers === undefined ? {} : { mcpServers }),
    ...(allowed === null && denied.length === 0 ? {} : { tools }),
    ...imported,
  };
}

const builderName = "prompt builder";

/**
 * Stores the prompt with its event in one transaction, unless the text is equal; the history is unchanged.
 *
 * @throws {ServiceError} `SERVICE_UNAVAILABLE`, `PROMPT_NOT_CONSTRUCTED`, `STORAGE_FAILED`.
 */
export async function rebuildPrompt(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  { by, note, signal }: RebuildPromptRequest & { readonly signal: AbortSignal },
): Promise<RebuildOutcome> {
  await context.start.wait(signal); // The prompt depends on extensions.
  const builder = required(context.systemPrompt, builderName);
  const { id, model } = conversation.record;
  const kept = await builder.describe(id);
  if (kept.systemPrompt === null && !conversation.hasSteps) {
    const message = `Cannot rebuild the prompt of conversation "${id}": it has no prompt yet; its first turn builds it`;
    throw new ServiceError("PROMPT_NOT_CONSTRUCTED", message);
  }
  const reason = "rebuild";
  const prepared = await prepareNewPrompt(context, conversation, { model, reason, by, note, signal });
  if (prepared === undefined) throw unavailable(builderName);
  if (kept.systemPrompt !== null && prepared.sha256 === kept.sha256) return "nothing-changed";
  const turnId = conversation.ids.next(turnIdSchema);
  const updatedAt = new Date(context.clock.now()).toISOString();
  await conversation.changeRecord(
    (record) => ({ ...record, updatedAt }),
    (write) => storeNewPrompt(conversation, prepared, { turnId, reason, writes: [write] }),
  );
  return "rebuilt";
}

/**
 * Empty without system messages in the request.
 *
 * @throws {ServiceError} `SERVICE_UNAVAILABLE`, `TEMPLATE_TOO_LARGE`.
 */
export async function systemMessageWrites(
  { conversationTexts }: OrchestratorContext,
  id: ConversationId,
  {
    system,
    systemMode: mode = "replace",
  }: Pick<CreateConversationRequest | UpdateConversationRequest, "system" | "systemMode">,
): Promise<readonly StorageBatch[]> {
  if (system === undefined) return [];
  const texts = required(conversationTexts, "prompt builder that keeps texts of a conversation");
  const tier = system === null ? null : { system: typeof system === "string" ? [system] : system, mode };
  return [await texts.give(id, tier)];
}
