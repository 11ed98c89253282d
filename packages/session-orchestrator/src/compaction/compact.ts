import { type StorageWrite, errorMessage } from "@incipit/kernel";
import {
  type Message,
  type MessagePart,
  type ModelMessage,
  type Step,
  type TurnId,
  type Usage,
  turnIdSchema,
} from "@incipit/schema";
import { ServiceError, type PreparedPrompt } from "@incipit/service-contract";
import { COMPACTION_SYSTEM_PROMPT, compactionRequest, summaryOpening } from "./compaction-prompt.ts";
import { shortenedHistory, shortenedText, type HistoryLimits } from "./shortened-history.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { storedTools } from "../conversation/epoch-tools.ts";
import { estimatedTokens } from "../conversation/context-size.ts";
import { StepFailure, toFailure } from "../failures/step-failure.ts";
import { readHistory } from "../store/stored-message.ts";
import { hostStops } from "../waits/settle.ts";
import { newMessageId } from "../store/ids.ts";
import { findModel, type FoundModel } from "../models/find-model.ts";
import { prepareNewPrompt } from "../prompt/prompt-for-turn.ts";
import { assertMaySpend } from "../spending/spend-limits.ts";
import { stepEndWrites } from "../step/step-ledger.ts";
import { StepRunner, type StepResult } from "../step/step-runner.ts";
import { keys, type ActiveCompaction } from "../store/stored.ts";

const bytesPerToken = 4;

interface CompactionRequest {
  readonly openTurn?: TurnId;
  readonly model: string;
  /** A summary of this length or more is rejected. */
  readonly maxSummaryTokens?: number;
  readonly instructions?: string;
  /** After a rejection as too long: also shortens unanswered messages, except the turn's own. */
  readonly isRefused?: boolean;
  readonly signal: AbortSignal;
}

const lastLimits: HistoryLimits = { part: 400, total: 12_000 };
const shorter: readonly HistoryLimits[] = [
  { part: 8_000, total: Infinity },
  { part: 1_000, total: 60_000 },
  lastLimits,
];
const maxCarriedLength = 4_000;

/**
 * Replaces the history with the summary and rebuilds the prompt, atomically. Model calls are recorded in any case.
 *
 * @throws {ServiceError} `NOTHING_TO_COMPACT`, `MODEL_FAILED`, `STORAGE_FAILED`.
 */
export async function compact(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  request: CompactionRequest,
): Promise<Message> {
  return conversation.work.compact(() => compactNow(context, conversation, request));
}

async function compactNow(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  request: CompactionRequest,
): Promise<Message> {
  const { id, epoch } = conversation.record;
  const { openTurn, model, signal } = request;
  const { messages } = await readHistory(context.storage, id, epoch);
  const range = compactionRange(messages, { openTurn });
  const isShortened =
    request.isRefused === true && range.carried.some((message) => isTooLongToCarry(message, openTurn));
  if (range.summedUp < 2 && !isShortened)
    throw new ServiceError("NOTHING_TO_COMPACT", `Conversation "${id}" is too short to be compacted`);
  const turnId = openTurn ?? conversation.ids.next(turnIdSchema);
  await assertMayCompact(context, conversation, { turnId, model });
  const isRequested = openTurn === undefined;
  const active: ActiveCompaction = { conversationId: id, turnId, state: "compacting" };
  const reason = isRequested ? "requested" : "automatic";
  await conversation.log.append(
    [{ type: "compaction-start", turnId, reason }],
    isRequested ? [{ kind: "set", key: keys.active(turnId), value: active }] : [], // A turn has its own record.
  );
  const compaction = new Compaction(context, conversation, { ...request, range, turnId, isRequested });
  try {
    return await compaction.run();
  } catch (error) {
    const status = !signal.aborted ? "failed" : signal.reason === hostStops ? "interrupted" : "cancelled";
    await compaction.end(status, error);
    throw error;
  }
}

/** @throws {ServiceError} `SPEND_LIMIT_REACHED`, `MODEL_UNKNOWN`. */
async function assertMayCompact(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  { turnId, model }: { readonly turnId: TurnId; readonly model: string },
): Promise<void> {
  try {
    await assertMaySpend(context, conversation, { turnId, model, found: findModel(context.providers, model) });
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    throw new ServiceError("SPEND_LIMIT_REACHED", error.message, { cause: error });
  }
}

interface CompactionOptions extends CompactionRequest {
  readonly range: CompactionRange;
  readonly turnId: TurnId;
  readonly isRequested: boolean;
}

class Compaction {
  readonly #context: OrchestratorContext;
  readonly #conversation: LoadedConversation;
  readonly #options: CompactionOptions;
  #step: Step | undefined;

  constructor(context: OrchestratorContext, conversation: LoadedConversation, options: CompactionOptions) {
    this.#context = context;
    this.#conversation = conversation;
    this.#options = options;
  }

  async run(): Promise<Message> {
    await this.#context.start.wait(this.#options.signal);
    const { model, signal } = this.#options;
    const prepared = await prepareNewPrompt(this.#context, this.#conversation, {
      model,
      reason: "compaction",
      signal,
    });
    const { turnId, range } = this.#options;
    const text = range.summedUp < 2 ? undefined : await this.#summarise(prepared);
    const epoch = this.#conversation.record.epoch + 1;
    const nowMs = this.#context.clock.now();
    const createdAt = new Date(nowMs).toISOString();
    const summary = (said: string): Message => {
      const parts: MessagePart[] = [{ type: "text", text: `${summaryOpening}\n\n${said}` }];
      return { ...this.#conversation.newMessage({ role: "user", parts, turnId }, nowMs), epoch };
    };
    const carried = range.carried.map((message): Message => {
      const { id, ...rest } = this.#fitting(message);
      return { carriedFrom: id, ...rest, id: newMessageId(nowMs), epoch };
    });
    const begun = [...(text === undefined ? [] : [summary(text)]), ...carried];
    const [first] = begun;
    if (first === undefined) throw new TypeError("An epoch begins with a message");
    const event = {
      type: "compaction-end",
      turnId,
      status: "completed",
      epoch,
      messageId: first.id,
      ...this.#usage,
    } as const;
    const writes = [
      ...(await this.#endWrites()),
      ...begun.map((message, index) => this.#conversation.messageWrite(message, index)),
    ];
    const join = prepared === undefined ? [] : [prepared.batch];
    await this.#conversation.changeRecord(
      (current) => ({ ...current, epoch, updatedAt: createdAt, toolsSha256: null }),
      (write) => this.#conversation.log.append([event], [...writes, write], join),
    );
    this.#conversation.beginEpoch(begun);
    return first;
  }

  async end(status: "failed" | "interrupted" | "cancelled", error: unknown): Promise<void> {
    const failure = status === "failed" ? { error: toFailure(error, this.#context.redactor) } : {};
    const event = {
      type: "compaction-end",
      turnId: this.#options.turnId,
      status,
      ...failure,
      ...this.#usage,
    } as const;
    await this.#conversation.log.append([event], await this.#endWrites());
  }

  get #usage(): { readonly usage?: Usage } {
    const usage = this.#step?.usage ?? null;
    return usage === null ? {} : { usage };
  }

  #fitting(message: Message): Message {
    const { openTurn, isRefused } = this.#options;
    if (isRefused !== true || !isTooLongToCarry(message, openTurn)) return message;
    const parts = message.parts.map((part) =>
      part.type === "text" ? { ...part, text: shortenedText(part.text, maxCarriedLength) } : part,
    );
    return { ...message, parts };
  }

  async #endWrites(): Promise<readonly StorageWrite[]> {
    const { turnId, isRequested } = this.#options;
    return [
      ...(this.#step === undefined ? [] : await stepEndWrites(this.#conversation, this.#step)),
      ...(isRequested ? [{ kind: "delete", key: keys.active(turnId) } as const] : []),
    ];
  }

  /** The folder of an imported conversation has not been approved. */
  get #cwd(): string {
    const { cwd, importedAt } = this.#conversation.record;
    return importedAt === null ? cwd : this.#context.defaults.cwd;
  }

  /** @throws {ServiceError} `MODEL_FAILED` for an unusable summary. */
  async #summarise(prepared: PreparedPrompt | undefined): Promise<string> {
    const { range, maxSummaryTokens = Infinity } = this.#options;
    const history = this.#conversation.history.slice(0, range.summedUp);
    const { own, larger } = await summaryModels(this.#context, this.#conversation, this.#options);
    const fits = own.window === undefined || this.#conversation.contextTokens <= own.window;
    let asked = larger ?? own;
    const left = shorter.filter((limits, index) => {
      const { window } = own;
      const isLast = index === shorter.length - 1;
      return isLast || window === undefined || estimatedTokens(shortenedHistory(history, limits)) <= window / 2;
    });
    const first = larger !== undefined || fits ? history : shortenedHistory(history, left.shift() ?? lastLimits);
    let { step, parts, failure } = await this.#ask(prepared, first, asked);
    while (isTooLong(failure) || (failure !== undefined && asked !== own && !this.#options.signal.aborted)) {
      if (isTooLong(failure)) this.#learn(asked, failure);
      const limits = left.shift();
      if (limits === undefined) break;
      await this.#keepRefused(step);
      asked = own;
      ({ step, parts, failure } = await this.#ask(prepared, shortenedHistory(history, limits), asked));
    }
    this.#step = step;
    const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
    const reason =
      failure === undefined
        ? reasonAgainst(text, step, maxSummaryTokens)
        : withoutCompactAdvice(toFailure(failure, this.#context.redactor).message);
    if (reason === undefined) return text;
    throw new ServiceError("MODEL_FAILED", `Cannot compact the conversation: ${reason}; nothing was changed`, {
      cause: failure,
    });
  }

  #learn({ model }: SummaryModel, { message }: StepFailure): void {
    this.#context.windows.learn(findModel(this.#context.providers, model), message);
  }

  async #keepRefused(step: Step): Promise<void> {
    const { stepSum, log } = this.#conversation;
    await log.append([], await stepEndWrites(this.#conversation, step));
    stepSum.stored();
  }

  async #ask(
    prepared: PreparedPrompt | undefined,
    history: readonly ModelMessage[],
    { model }: SummaryModel,
  ): Promise<StepResult> {
    const { turnId, signal, instructions } = this.#options;
    // Some vendors require the called tools in the request; tool choice disables them.
    const { tools = [], deferred } = (await storedTools(this.#conversation)) ?? {};
    const ask = compactionRequest(instructions);
    const request: ModelMessage = { role: "user", parts: [{ type: "text", text: ask }] };
    return new StepRunner(this.#context, this.#conversation, {
      turnId,
      purpose: "compaction",
      found: findModel(this.#context.providers, model),
      cwd: this.#cwd,
      model,
      systemPrompt: [compactionText(prepared)],
      messages: [...history, request],
      tools,
      deferred,
      ...(instructions === undefined ? {} : { compactionInstructions: instructions }),
      ...(tools.length === 0 ? {} : { settings: { toolChoice: "none" } as const }),
      audit: { requestTierSha256: null, isBuilderAbsent: prepared === undefined },
      signal,
    }).run();
  }
}

function isTooLongToCarry({ turnId, parts }: Message, openTurn: TurnId | undefined): boolean {
  return turnId !== openTurn && parts.some((part) => part.type === "text" && part.text.length > maxCarriedLength);
}

export function isTooLong(failure: unknown): failure is StepFailure {
  return failure instanceof StepFailure && failure.failure.code === "CONTEXT_TOO_LONG";
}

export function withoutCompactAdvice(text: string): string {
  return text.replace(/; compact the conversation, or take a model with a larger window/g, "");
}

function compactionText(prepared: PreparedPrompt | undefined): string {
  return prepared === undefined || prepared.text === ""
    ? COMPACTION_SYSTEM_PROMPT
    : `${prepared.text}\n\n${COMPACTION_SYSTEM_PROMPT}`;
}

function reasonAgainst(text: string, { finishReason, usage }: Step, maxTokens: number): string | undefined {
  if (text.trim() === "") return "the model's summary is empty";
  if (finishReason !== "stop")
    return `the model's summary is not whole (it ended with "${finishReason ?? "nothing"}")`;
  const tokens = usage?.outputTokens ?? Buffer.byteLength(text) / bytesPerToken;
  return tokens >= maxTokens ? "the model's summary is as long as what it sums up may be" : undefined;
}

interface CompactionRange {
  readonly summedUp: number;
  readonly carried: readonly Message[];
}

/**
 * Carries unanswered user messages over. Within a turn, only its own message is not summarized, so that calls and
 * results stay together.
 */
function compactionRange(
  messages: readonly Message[],
  { openTurn }: { readonly openTurn: TurnId | undefined },
): CompactionRange {
  const answered = messages.findLastIndex(({ role }) => role !== "user") + 1;
  const open = messages.slice(answered);
  if (open.length > 0) return { summedUp: answered, carried: open };
  const own = messages.findLast(({ role, turnId }) => role === "user" && turnId === openTurn);
  return { summedUp: messages.length, carried: own === undefined ? [] : [own] };
}

interface SummaryModel {
  readonly model: string;
  readonly window: number | undefined;
}

/**
 * The conversation's own model, and, if the history exceeds its window, the previous one if available and large
 * enough.
 */
async function summaryModels(
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

interface AutomaticCompactionOptions {
  readonly openTurn: TurnId;
  readonly model: string;
  readonly window: number | undefined;
  readonly signal: AbortSignal;
}

/** Returns whether a new epoch began. After a failure, waits until the conversation has grown. */
export async function compactWhenDue(
  context: OrchestratorContext,
  conversation: LoadedConversation,
  { openTurn, model, window, signal }: AutomaticCompactionOptions,
): Promise<boolean> {
  const { auto, share } = context.settings.compaction;
  if (!auto || window === undefined) return false;
  const estimated = conversation.contextTokens;
  if (!conversation.contextSize.isDue({ window, share, estimated })) return false;
  try {
    await compact(context, conversation, { openTurn, model, maxSummaryTokens: window * share, signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false; // Stopped with its turn; due again in the next one.
    conversation.contextSize.putOff({ window, estimated });
    const isTooShort = ServiceError.is(error) && error.code === "NOTHING_TO_COMPACT";
    const message = errorMessage(error);
    if (!isTooShort)
      context.log.warn("A conversation was not compacted", {
        conversationId: conversation.record.id,
        error: message,
      });
    return false;
  }
}
