import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { ConversationId, Replay, StepId, StepRecord } from "@incipit/schema";

/** What is kept of the model calls of conversations. Every method rejects with a {@link ServiceError}. */
export interface StepRecordsService {
  /** The conversation that a recorded step belongs to; `STEP_UNKNOWN` also once its request was deleted. */
  find(stepId: string): Promise<{ readonly conversationId: ConversationId; readonly stepId: StepId }>;
  /** All that is kept of one step, without the secrets in it. */
  get(conversationId: ConversationId, stepId: string): Promise<StepRecord>;
  /**
   * Gives another model what a step was given: system texts, messages, tools and settings. No tool is run, and the
   * conversation stays as it is. Whoever aborts stops the call; what came until then is kept.
   * Rejects with `STEP_UNKNOWN`, `RECORD_DELETED`, `MODEL_UNKNOWN`; a model that fails is an answer with an error.
   */
  replay(
    conversationId: ConversationId,
    stepId: string,
    options: { readonly model: string; readonly signal: AbortSignal },
  ): Promise<Replay>;
  /** The replays of one step, oldest first; at most the newest 1,000. */
  replays(conversationId: ConversationId, stepId: string): Promise<readonly Replay[]>;
}

export const stepRecordsHandle: ServiceHandle<StepRecordsService> = defineHandle<StepRecordsService>(
  "step-records@1",
  {
    find: "function",
    get: "function",
    replay: "function",
    replays: "function",
  },
);
