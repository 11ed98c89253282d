import {
  conversationIdSchema,
  replayIdSchema,
  stepIdSchema,
  type ConversationId,
  type Replay,
  type StepId,
  type StepRecord,
} from "@incipit/schema";
import { ServiceError, type StepRecordsService } from "@incipit/service-contract";
import * as z from "zod";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { conversationUnknown } from "../failures/conversation-unknown.ts";
import type { ModelCalls } from "../stateless/model-calls.ts";
import { withServiceErrors } from "../failures/storage-failure.ts";
import { keys } from "../store/stored.ts";
import { listReplays, replayStep } from "./replay-step.ts";
import { readStepRecord } from "./read-step-record.ts";

const ageSchema = z.object({ conversationId: conversationIdSchema });

export class StepRecords implements StepRecordsService {
  readonly #context: OrchestratorContext;
  readonly #calls: ModelCalls;

  constructor(context: OrchestratorContext, calls: ModelCalls) {
    this.#context = context;
    this.#calls = calls;
  }

  async find(stepId: string): Promise<{ readonly conversationId: ConversationId; readonly stepId: StepId }> {
    const id = stepIdSchema.safeParse(stepId).data;
    const age = await withServiceErrors(() => this.#context.storage.get(keys.recordAge(stepId), z.unknown()));
    const place = ageSchema.safeParse(age).data;
    if (id !== undefined && place !== undefined) return { conversationId: place.conversationId, stepId: id };
    const message = `No request of a step "${stepId}" is on record`;
    throw new ServiceError("STEP_UNKNOWN", message, { next: { action: "list-steps", conversationId: null } });
  }

  async get(conversationId: ConversationId, stepId: string): Promise<StepRecord> {
    return withServiceErrors(() => readStepRecord(this.#context, conversationId, stepId));
  }

  async replay(
    conversationId: ConversationId,
    stepId: string,
    { model, signal }: { readonly model: string; readonly signal: AbortSignal },
  ): Promise<Replay> {
    const id = replayIdSchema.parse(Bun.randomUUIDv7("hex", this.#context.clock.now()));
    const options = { id, conversationId, stepId, model, signal };
    return withServiceErrors(() => replayStep(this.#context, this.#calls, options));
  }

  async replays(conversationId: ConversationId, stepId: string): Promise<readonly Replay[]> {
    return withServiceErrors(async () => {
      const isThere =
        (await this.#context.storage.get(keys.conversation(conversationId), z.unknown())) !== undefined;
      if (!isThere) throw conversationUnknown(conversationId);
      return listReplays(this.#context, conversationId, stepId);
    });
  }
}
