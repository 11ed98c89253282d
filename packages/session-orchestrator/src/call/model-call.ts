import { waitUnlessAborted, type WireRequest } from "@incipit/kernel";
import type {
  EstimatedUsage,
  FinishReason,
  MessagePart,
  ModelMessage,
  ModelSettings,
  StepId,
  ToolDefinition,
  TurnId,
  Usage,
  VendorResponse,
} from "@incipit/schema";
import type {
  ModelCallWork,
  ModelRequest,
  PermissionAnswer,
  PermissionQuestion,
  SessionRequest,
} from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { NewEvent } from "../events/event-log.ts";
import { isRetryable, StepFailure } from "../failures/step-failure.ts";
import { askedModel, type FoundModel } from "../models/find-model.ts";
import type { DeferredRange } from "../store/tool-list.ts";
import { nativeSearchResults } from "./native-search-results.ts";
import type { SendableMessages } from "./model-messages.ts";
import { modelStream, type ModelReplyEvent } from "./model-stream.ts";
import { Reply, ToolCallIds } from "./reply.ts";

type Finish = Extract<ModelReplyEvent, { readonly type: "finish" }>;

export interface ModelCallRequest {
  readonly turnId: TurnId;
  readonly stepId: StepId;
  readonly found: FoundModel;
  readonly model: string;
  readonly cacheId: string;
  readonly cwd: string;
  readonly systemPrompt: readonly string[];
  readonly messages: readonly ModelMessage[];
  readonly sendable: SendableMessages;
  readonly tools: readonly ToolDefinition[];
  readonly deferred?: DeferredRange | undefined;
  readonly settings?: ModelSettings | undefined;
  readonly work: Pick<ModelCallWork, "conversationId" | "turnId" | "purpose">;
  /** Allows retries after a tool call has started but not completed. */
  readonly repeatsBegunCalls?: boolean;
  /** Absent when no user can answer. */
  readonly askPermission?: ((question: PermissionQuestion) => Promise<PermissionAnswer>) | undefined;
  readonly signal: AbortSignal;
}

interface CallLedger {
  /** Awaited before a request is sent; a rejection ends the call. */
  leaving(request: WireRequest, attempt: number, session: SessionRequest | undefined): Promise<void>;
  retrying(retry: { readonly attempt: number; readonly waitMs: number; readonly error: unknown }): Promise<void>;
}

export interface Said {
  /** `restart`: the call is retried, and `shown` ends the parts of the failed attempt. */
  readonly event: Exclude<ModelReplyEvent, { readonly type: "finish" }> | { readonly type: "restart" };
  readonly shown: readonly NewEvent[];
}

export type CallEnd =
  | {
      readonly hasFailed: false;
      readonly usage: Usage;
      readonly finishReason: FinishReason;
      readonly stopSequence?: string;
      readonly explanation?: string;
    }
  | { readonly hasFailed: true; readonly failure: unknown };

/** Retries while no reply was shown and the error is retryable. */
export class ModelCall {
  readonly #context: OrchestratorContext;
  readonly #request: ModelCallRequest;
  readonly #ledger: CallLedger;
  readonly #reply: Reply;
  readonly #startedAtMs: number;
  #firstEventAtMs: number | null = null;
  #attempts = 0;
  #hasShown = false;
  #url: string | null = null;
  #response: VendorResponse | undefined;

  constructor(context: OrchestratorContext, request: ModelCallRequest, ledger: CallLedger) {
    const { turnId, stepId, model, messages, tools } = request;
    this.#context = context;
    this.#request = request;
    this.#ledger = ledger;
    this.#startedAtMs = context.clock.now();
    this.#reply = new Reply({ turnId, stepId, model, callIds: new ToolCallIds(messages, tools) });
  }

  get parts(): readonly MessagePart[] {
    return this.#reply.parts;
  }

  estimate(usage: Usage | null): { readonly estimatedUsage?: EstimatedUsage } {
    const estimate = estimatedUsage(usage, { sent: this.#request, reply: this.#reply.parts });
    return estimate === undefined ? {} : { estimatedUsage: estimate };
  }

  get url(): string | null {
    return this.#url;
  }

  get response(): VendorResponse | undefined {
    return this.#response;
  }

  /** Never rejects: a failure is returned. Leaving the iteration aborts the request. */
  async *said(): AsyncGenerator<Said, CallEnd> {
    try {
      const { usage, finishReason, stopSequence, explanation } = yield* this.#untilDone();
      const asked = this.#request.settings?.stopSequences ?? [];
      const isAsked = stopSequence !== undefined && asked.includes(stopSequence);
      return {
        hasFailed: false,
        usage,
        finishReason,
        ...(isAsked ? { stopSequence } : {}),
        ...(explanation === undefined ? {} : { explanation }),
      };
    } catch (failure) {
      return { hasFailed: true, failure };
    }
  }

  /** Call once, at the end. */
  close({ hasFailed }: { readonly hasFailed: boolean }): readonly NewEvent[] {
    return this.#reply.close({ hasFailed });
  }

  tell({ usage, finishReason, error }: Pick<ModelCallWork, "usage" | "finishReason" | "error">): void {
    const { observers, clock } = this.#context;
    const { work, stepId, found, systemPrompt, messages, tools, settings = {} } = this.#request;
    const content = { systemPrompt, messages, tools, reply: this.#reply.parts };
    observers.tell({
      type: "model-call",
      ...work,
      callId: stepId,
      ...askedModel(found),
      serverUrl: originOf(this.#url),
      startedAtMs: this.#startedAtMs,
      firstEventAtMs: this.#firstEventAtMs,
      endedAtMs: clock.now(),
      attempts: this.#attempts,
      settings,
      response: this.#response ?? {},
      usage,
      finishReason,
      error,
      ...(observers.hasContent ? { content } : {}),
    });
  }

  async *#untilDone(): AsyncGenerator<Said, Finish> {
    const { settings, clock } = this.#context;
    const { signal } = this.#request;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return yield* this.#attempt({ isLast: attempt >= settings.maxAttempts });
      } catch (error) {
        const askedMs = error instanceof StepFailure ? error.failure.retryAfterMs : undefined;
        if (error instanceof StepFailure && isTooLongToWait(askedMs)) throw notYet(error, askedMs);
        if (!isRetryable(error) || this.#hasShown || attempt >= settings.maxAttempts || signal.aborted) throw error;
        const waitMs = retryDelayMs(attempt, askedMs);
        const ends = this.#reply.restart();
        if (ends.length > 0) yield { event: { type: "restart" }, shown: ends };
        await this.#ledger.retrying({ attempt, waitMs, error });
        await waitUnlessAborted(waitMs, clock, signal);
        if (signal.aborted) throw error;
      }
    }
  }

  async *#attempt({ isLast }: { readonly isLast: boolean }): AsyncGenerator<Said, Finish> {
    const { found, model, cacheId, cwd, work, systemPrompt, messages, sendable, tools, settings, signal } =
      this.#request;
    const { deferred } = this.#request;
    const lookedUp =
      deferred === undefined
        ? undefined
        : await nativeSearchResults(this.#context, { ...this.#request, deferred, isLastAttempt: isLast });
    const events = modelStream(this.#context, {
      found,
      model,
      conversationId: cacheId,
      cwd,
      purpose: work.purpose,
      systemPrompt,
      messages,
      sendable,
      tools,
      ...(lookedUp === undefined ? {} : { lookedUp }),
      ...(settings === undefined ? {} : { settings }),
      signal,
      observe: (request, session) => this.#observe(request, session),
      ...this.#asking(),
    });
    let onlyCall: string | undefined;
    const isSecondCall = (event: ModelReplyEvent): boolean => {
      if (settings?.parallelToolCalls !== false) return false;
      if (event.type !== "tool-call-start" && event.type !== "tool-call") return false;
      onlyCall ??= event.toolCallId;
      return event.toolCallId !== onlyCall; // Some vendors lack an option for a single call.
    };
    for await (const event of events) {
      this.#firstEventAtMs ??= this.#context.clock.now();
      if (event.type === "finish") {
        this.#response = event.response;
        return event;
      }
      assertWhoRuns(event, found);
      if (isSecondCall(event)) continue;
      if (work.purpose === "stateless" && found.provider.runsOwnTools === true && isOfTool(event)) continue;
      const shown = this.#reply.take(event);
      this.#hasShown ||= this.#isShown({ event, shown });
      yield { event, shown };
    }
    throw new TypeError("A model's reply was over without its end");
  }

  #isShown({ event, shown }: Said): boolean {
    if (event.type === "tool-call") return true;
    // Reasoning is not part of the answer, so a retry may repeat it.
    if (event.type.startsWith("reasoning")) return false;
    return shown.some(({ type }) => type !== "tool-call-start" || this.#request.repeatsBegunCalls !== true);
  }

  #asking(): Pick<ModelRequest, "askPermission"> {
    const ask = this.#request.askPermission;
    if (ask === undefined) return {};
    return {
      askPermission: (question) => ask({ ...question, ...this.#reply.shownCall(question) }),
    };
  }

  async #observe(request: WireRequest, session: SessionRequest | undefined): Promise<void> {
    this.#attempts += 1;
    this.#url = request.url;
    await this.#ledger.leaving(request, this.#attempts, session);
  }
}

function notYet({ failure }: StepFailure, waitMs: number): StepFailure {
  const sentence = failure.message.replace(/[.;]$/, "");
  const message = `${sentence}; try again in ${waitText(waitMs)}, or use another model now`;
  return new StepFailure({ ...failure, message, isRetryable: false });
}

/** A history with calls from both would have misplaced results. @throws {StepFailure} `BAD_RESPONSE`. */
function assertWhoRuns({ type }: ModelReplyEvent, { provider }: FoundModel): void {
  const isOdd = provider.runsOwnTools === true ? type === "tool-call" : type === "tool-run";
  if (!isOdd) return;
  const message = `The provider "${provider.id}" gave "${type}", which is for one that ${type === "tool-run" ? "says that it" : "does not"} run tools by itself`;
  throw new StepFailure({ code: "BAD_RESPONSE", message, isRetryable: false });
}

/** Hidden from stateless callers, who would try to run the tool. */
function isOfTool({ type }: ModelReplyEvent): boolean {
  return type === "tool-call-start" || type === "tool-run";
}

const baseMs = 500;
const maxMs = 60_000;

/** Too long for an interactive user: the call fails immediately, with the time. */
export function isTooLongToWait(retryAfterMs: number | undefined): retryAfterMs is number {
  return retryAfterMs !== undefined && retryAfterMs > maxMs;
}

export function waitText(waitMs: number): string {
  const minutes = Math.ceil(waitMs / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.ceil(hours / 24)} days`;
}

/** The vendor's delay, or an exponential backoff with 25% jitter. */
export function retryDelayMs(
  attempt: number,
  retryAfterMs: number | undefined,
  random: () => number = Math.random,
): number {
  if (retryAfterMs !== undefined) return retryAfterMs;
  const delayMs = Math.min(baseMs * 2 ** (attempt - 1), maxMs);
  return Math.round(delayMs * (0.75 + 0.5 * random()));
}

/** Low for most texts, because the estimate is an upper bound of the cost. */
const bytesPerToken = 3;
/** Vendors' approximate count of a large image. */
const tokensPerFile = 2_000;

type Sent = Pick<ModelCallRequest, "systemPrompt" | "messages" | "tools">;

/** Many vendors report usage only at the end of a reply, yet charge for a stopped one. */
function estimatedUsage(
  usage: Usage | null,
  { sent, reply }: { readonly sent: Sent; readonly reply: readonly MessagePart[] },
): EstimatedUsage | undefined {
  const isCounted = usage !== null && usage.inputTokens !== null && usage.outputTokens !== null;
  if (isCounted || reply.length === 0) return undefined;
  const { systemPrompt, messages, tools } = sent;
  return {
    inputTokens: usage?.inputTokens ?? tokensOf([systemPrompt, messages, tools]),
    outputTokens: usage?.outputTokens ?? tokensOf(reply),
  };
}

function tokensOf(value: unknown): number {
  let files = 0;
  const text = JSON.stringify(value, (_, inner: unknown) => {
    const isFile = typeof inner === "object" && inner !== null && "type" in inner && inner.type === "file";
    if (isFile) files += 1;
    return isFile ? null : inner;
  });
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken) + files * tokensPerFile;
}

export function originOf(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { origin } = new URL(url);
  return origin === "null" ? null : origin;
}
