import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { ConversationId, Replay, StepId, StepRecord } from "@incipit/schema";

/** Recorded model calls of conversations. Every method rejects with a {@link ServiceError}. */
export interface StepRecordsService {
  /**
   * Finds the conversation of a recorded step.
   * @throws {ServiceError} `STEP_UNKNOWN`, also after the record was deleted.
   */
  find(stepId: string): Promise<{ readonly conversationId: ConversationId; readonly stepId: StepId }>;
  /** Returns the redacted record of one step. */
  get(conversationId: ConversationId, stepId: string): Promise<StepRecord>;
  /**
   * Sends a step's system messages, messages, tools and settings to another model. Runs no tools and does not
   * change the conversation. On abort, the output so far is stored. A failure of the model is a result with an
   * error.
   * @throws {ServiceError} `STEP_UNKNOWN`, `RECORD_DELETED`, `MODEL_UNKNOWN`.
   */
  replay(
    conversationId: ConversationId,
    stepId: string,
    options: { readonly model: string; readonly signal: AbortSignal },
  ): Promise<Replay>;
  /** Lists the replays of a step, oldest first; at most the newest 1,000. */
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
