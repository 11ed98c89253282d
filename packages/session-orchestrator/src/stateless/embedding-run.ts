import { errorMessage, type WireRequest } from "@incipit/kernel";
import type { CallId, ModelCall as CallRecord, ModelCallPrompt } from "@incipit/schema";
import {
  ServiceError,
  type EmbeddingCall,
  type EmbeddingCallRequest,
  type EmbeddingReply,
  type ModelProvider,
} from "@incipit/service-contract";
import type { CallTarget } from "../call/call-target.ts";
import { originOf } from "../call/origin-of.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { StepFailure, toFailure } from "../failures/step-failure.ts";
import { fetchPrices } from "../models/fetch-prices.ts";
import { askedModel } from "../models/asked-model.ts";
import { assertMaySpendToday } from "../spending/spend-limits.ts";
import { hostStops } from "../waits/host-stops.ts";
import type { CallRecords } from "./call-records.ts";

export interface EmbeddingRunOptions {
  readonly id: CallId;
  readonly target: CallTarget;
  readonly request: EmbeddingCallRequest;
  readonly records: CallRecords;
  readonly signal: AbortSignal;
}

type Embed = NonNullable<ModelProvider["embed"]>;

const noPrompt: ModelCallPrompt = { systemTexts: [], explain: null, isRedacted: false };

/** Never retries. */
export class EmbeddingRun {
  readonly #context: OrchestratorContext;
  readonly #options: EmbeddingRunOptions;
  readonly #embed: Embed;
  #record: CallRecord;
  readonly #startedAtMs: number;
  #url: string | null = null;
  #hasLeft = false;
  #ending: Promise<void> | undefined;

  /** @throws {ServiceError} `INVALID_REQUEST` when the provider does not support embeddings or a field. */
  constructor(context: OrchestratorContext, options: EmbeddingRunOptions) {
    const { id, target } = options;
    this.#context = context;
    this.#options = options;
    this.#embed = embedOf(options);
    this.#startedAtMs = context.clock.now();
    this.#record = {
      id,
      status: "running",
      model: target.model,
      profile: null,
      cwd: target.cwd,
      startedAt: this.#now(),
      endedAt: null,
      attempts: 0,
      requestSha256: null,
      requestSizeBytes: null,
      systemSha256: null,
      usage: null,
      prices: null,
      responseId: null,
      responseModel: null,
      finishReason: null,
      error: null,
    };
  }

  /** @throws the error of storing the record. */
  async call(): Promise<EmbeddingCall> {
    void this.#learnPrices();
    const { id: callId, target } = this.#options;
    const reply = await this.#asked();
    if (reply.kind === "failed") await this.#fail(reply.error);
    else {
      const usage = { ...noTokens, inputTokens: reply.inputTokens };
      await this.#end({ status: "completed", usage, responseModel: reply.responseModel });
    }
    return { callId, model: target.model, reply };
  }

  cutOff(): Promise<void> {
    return this.#end({ status: this.#options.signal.reason === hostStops ? "interrupted" : "cancelled" });
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
    const stopped = Promise.withResolvers<never>();
    const stop = (code: string, message: string): void =>
      stopped.reject(new StepFailure({ code, message, isRetryable: false }));
    const seconds = settings.idleTimeoutMs / 1_000;
    const cancel = clock.setTimer(
      () => stop("TIMEOUT", `"${model}" sent nothing for ${seconds} s`),
      settings.idleTimeoutMs,
    );
    const onAbort = (): void => stop("CANCELLED", `The call of "${model}" was stopped`);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      const asked = this.#embed({
        ...request,
        model: found.name,
        signal: AbortSignal.any([signal, ended.signal]),
        observe: (wire) => this.#leaving(wire),
      });
      const reply = await Promise.race([asked, stopped.promise]);
      if (reply.kind === "embedded") return reply;
      return { ...reply, error: { ...reply.error, message: redactor.redact(reply.error.message) } };
    } catch (error) {
      if (error instanceof StepFailure) return { kind: "failed", error: error.failure };
      return { kind: "failed", error: { ...toFailure(error, redactor), isRetryable: false } };
    } finally {
      cancel();
      signal.removeEventListener("abort", onAbort);
      ended.abort();
      stopped.promise.catch(() => undefined);
    }
  }

  async #leaving(wire: WireRequest): Promise<void> {
    const { records, signal } = this.#options;
    signal.throwIfAborted();
    const { attempts } = this.#record;
    const requestSizeBytes = Buffer.byteLength(wire.body);
    this.#url = wire.url;
    this.#record = { ...this.#record, attempts: attempts + 1, requestSha256: wire.sha256, requestSizeBytes };
    const prompt = this.#hasLeft ? undefined : noPrompt;
    await records.leave(this.#record, { wire, told: { messages: [] }, prompt });
    this.#hasLeft = true;
  }

  async #fail(error: CallRecord["error"]): Promise<void> {
    if (this.#options.signal.aborted) await this.cutOff();
    else await this.#end({ status: "failed", error: error && { code: error.code, message: error.message } });
  }

  async #learnPrices(): Promise<void> {
    const prices = await fetchPrices(this.#context, this.#options.target.found);
    if (this.#ending === undefined) this.#record = { ...this.#record, prices };
  }

  /** Only the first outcome counts. */
  #end(outcome: Pick<CallRecord, "status"> & Partial<CallRecord>): Promise<void> {
    if (this.#ending !== undefined) return this.#ending;
    this.#record = { ...this.#record, ...outcome, endedAt: this.#now() };
    const stored = this.#options.records.end(this.#record, { prompt: this.#hasLeft ? undefined : noPrompt });
    stored.catch((error: unknown) =>
      this.#context.log.error("The end of a model call could not be stored", {
        callId: this.#record.id,
        error: errorMessage(error),
      }),
    );
    this.#tell();
    return (this.#ending = stored);
  }

  #tell(): void {
    const { observers, clock } = this.#context;
    const { id: callId, target, request } = this.#options;
    const { attempts, responseModel, usage, error } = this.#record;
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

  #now(): string {
    return new Date(this.#context.clock.now()).toISOString();
  }
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
