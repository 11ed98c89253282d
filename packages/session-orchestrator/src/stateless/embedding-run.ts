import type { ModelCall as CallRecord, ModelCallPrompt } from "@incipit/schema";
import {
  ServiceError,
  type EmbeddingCall,
  type EmbeddingCallRequest,
  type EmbeddingReply,
  type ModelProvider,
} from "@incipit/service-contract";
import { originOf } from "../call/model-call.ts";
import { settle } from "../waits/settle.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { StepFailure, toFailure } from "../failures/step-failure.ts";
import { askedModel } from "../models/find-model.ts";
import { assertMaySpendToday } from "../spending/spend-limits.ts";
import { RecordedCall, type RecordedCallOptions } from "./call-records.ts";

export interface EmbeddingRunOptions extends Omit<RecordedCallOptions, "onEnd" | "prompt"> {
  readonly request: EmbeddingCallRequest;
}

type Embed = NonNullable<ModelProvider["embed"]>;

const noPrompt: ModelCallPrompt = { systemTexts: [], explain: null, isRedacted: false };

/** Never retries. */
export class EmbeddingRun {
  readonly #context: OrchestratorContext;
  readonly #options: EmbeddingRunOptions;
  readonly #embed: Embed;
  readonly #recorded: RecordedCall;
  readonly #startedAtMs: number;
  #url: string | null = null;

  /** @throws {ServiceError} `INVALID_REQUEST` when the provider does not support embeddings or a field. */
  constructor(context: OrchestratorContext, options: EmbeddingRunOptions) {
    this.#context = context;
    this.#options = options;
    this.#embed = embedOf(options);
    this.#startedAtMs = context.clock.now();
    const onEnd = (call: CallRecord): void => this.#tell(call);
    this.#recorded = new RecordedCall(context, { ...options, prompt: noPrompt, onEnd });
  }

  /** @throws the error of storing the record. */
  async call(): Promise<EmbeddingCall> {
    const { id: callId, target } = this.#options;
    const reply = await this.#asked();
    if (reply.kind === "failed") await this.#fail(reply.error);
    else {
      const usage = { ...noTokens, inputTokens: reply.inputTokens };
      await this.#recorded.end({ status: "completed", usage, responseModel: reply.responseModel });
    }
    return { callId, model: target.model, reply };
  }

  cutOff(): Promise<void> {
    return this.#recorded.end({ status: this.#recorded.cutOffStatus });
  }

  async #asked(): Promise<EmbeddingReply> {
    const { clock, settings, redactor } = this.#context;
    try {
      await assertMaySpendToday(this.#context);
    } catch (error) {
      if (error instanceof StepFailure) return { kind: "failed", error: error.failure };
      throw error;
    }
    const { target, request, signal } = this.#options;
    const { model, found } = target;
    const ended = new AbortController();
    const timeoutMs = settings.idleTimeoutMs;
    try {
      const asked = this.#embed({
        ...request,
        model: found.name,
        signal: AbortSignal.any([signal, ended.signal]),
        observe: (wire) => {
          this.#url = wire.url;
          return this.#recorded.leaving(wire, { messages: [] });
        },
      });
      const settled = await settle(asked, { timeoutMs, clock, signal });
      if (settled.kind === "timeout")
        throw failure("TIMEOUT", `"${model}" sent nothing for ${timeoutMs / 1_000} s`);
      if (settled.kind === "aborted") throw failure("CANCELLED", `The call of "${model}" was stopped`);
      const reply = settled.value;
      if (reply.kind === "embedded") return reply;
      return { ...reply, error: { ...reply.error, message: redactor.redact(reply.error.message) } };
    } catch (error) {
      if (error instanceof StepFailure) return { kind: "failed", error: error.failure };
      return { kind: "failed", error: { ...toFailure(error, redactor), isRetryable: false } };
    } finally {
      ended.abort();
    }
  }

  async #fail(error: CallRecord["error"]): Promise<void> {
    if (this.#options.signal.aborted) await this.cutOff();
    else
      await this.#recorded.end({ status: "failed", error: error && { code: error.code, message: error.message } });
  }

  #tell({ attempts, responseModel, usage, error }: CallRecord): void {
    const { observers, clock } = this.#context;
    const { id: callId, target, request } = this.#options;
    observers.tell({
      type: "embeddings",
      callId,
      ...askedModel(target.found),
      serverUrl: originOf(this.#url),
      startedAtMs: this.#startedAtMs,
      endedAtMs: clock.now(),
      attempts,
      dimensions: request.dimensions ?? null,
      encodingFormat: request.encodingFormat ?? null,
      responseModel,
      inputTokens: usage?.inputTokens ?? null,
      error,
    });
  }
}

function failure(code: string, message: string): StepFailure {
  return new StepFailure({ code, message, isRetryable: false });
}

const noTokens = { outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null } as const;

function embedOf({ target: { found, model }, request }: EmbeddingRunOptions): Embed {
  const { provider, name } = found;
  const refused = (field: string, rule: string): ServiceError =>
    new ServiceError("INVALID_REQUEST", `Cannot ask "${model}" for embeddings: ${rule}`, {
      details: [{ field: `"${field}"`, message: rule }],
    });
  if (provider.embed === undefined)
    throw refused("model", `the API of "${provider.id}" does not support them; choose a model of another provider`);
  for (const field of Object.keys(request.vendorFields ?? {}))
    if (provider.takesField?.({ model: name, field, isOfEmbeddings: true }) !== true)
      throw refused(field, `its API has no field "${field}"; leave it out`);
  return (asked) => provider.embed?.(asked) ?? Promise.reject(new TypeError("A provider took its embeddings back"));
}
