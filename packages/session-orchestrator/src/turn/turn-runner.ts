import { errorMessage, parseJson, type StorageBatch, type StorageWrite } from "@incipit/kernel";
import {
  cutReasonOf,
  describeFile,
  inputText,
  singleLine,
  type CutReason,
  type Message,
  type MessagePart,
  type TurnId,
  type TurnStatus,
} from "@incipit/schema";
import { ServiceError, type AskedModel } from "@incipit/service-contract";
import { withRefusedFiles } from "../conversation/message-files.ts";
import { compact, isTooLong, withoutCompactAdvice, compactWhenDue } from "../compaction/compact.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { epochTools } from "../conversation/epoch-tools.ts";
import type { Appended, NewEvent } from "../events/event-log.ts";
import { StepFailure, toFailure } from "../failures/step-failure.ts";
import { hostStops } from "../waits/settle.ts";
import { acceptsFile } from "../call/model-messages.ts";
import { folderNotice, realFolder } from "../call/usable-folder.ts";
import { messagesOf, unanswered } from "../call/reply.ts";
import { askedModel, findModel, providerAsker, type FoundModel } from "../models/find-model.ts";
import { finishInterruptedTurn } from "./recovery.ts";
import { SchemaAnswer, withSchema } from "./schema-answer.ts";
import { assertMaySpend, assertWithinCost } from "../spending/spend-limits.ts";
import { turnEndWrites } from "./turn-ends.ts";
import { promptForTurn, type SentPrompt } from "../prompt/prompt-for-turn.ts";
import { stepEndWrites } from "../step/step-ledger.ts";
import { StepRunner, type StepResult } from "../step/step-runner.ts";
import { keys, type ActiveTurn, type TurnRequest } from "../store/stored.ts";
import type { ToolList } from "../store/tool-list.ts";
import { titleOf } from "../conversation/title-of.ts";
import { runToolCalls, type ToolRound } from "../tools/run-tool-calls.ts";
import { ToolSearch } from "../tools/tool-search.ts";
import { toolsQuery } from "../tools/tool-rules.ts";
import type { ToolCall } from "../tools/run-tool-call.ts";

interface Unstored {
  readonly events: readonly NewEvent[];
  readonly writes: readonly StorageWrite[];
  readonly messages: readonly Message[];
}

interface TurnOutcome {
  readonly status: TurnStatus;
  readonly error?: unknown;
  readonly cutReason?: CutReason;
  readonly cutExplanation?: string;
}

export interface JoinedWrites {
  readonly writes: readonly StorageWrite[];
  readonly join: readonly StorageBatch[];
}

export class TurnRunner {
  readonly #context: OrchestratorContext;
  readonly #conversation: LoadedConversation;
  readonly #turnId: TurnId;
  readonly #request: TurnRequest;
  readonly #signal: AbortSignal;
  readonly #startedAtMs: number;
  #folderNotice: Promise<string | undefined> | undefined;
  #unstored: Unstored | undefined;
  #asked: AskedModel | null = null;
  #isCallLost = false;

  constructor(
    context: OrchestratorContext,
    conversation: LoadedConversation,
    active: ActiveTurn,
    signal: AbortSignal,
  ) {
    this.#context = context;
    this.#conversation = conversation;
    this.#turnId = active.turnId;
    this.#request = active.request;
    this.#signal = signal;
    this.#startedAtMs = context.clock.now();
  }

  async start({ writes, join }: JoinedWrites): Promise<Pick<Appended, "shown">> {
    // During the commit, because the file system may be slow.
    this.#folderNotice = folderNotice(this.#context, { cwd: this.#conversation.record.cwd, signal: this.#signal });
    this.#folderNotice.catch(() => undefined); // `run` receives the error.
    const given = this.#request.input;
    const input = inputText(given);
    const hasFiles = typeof given !== "string" && given.some(({ type }) => type === "file");
    const { command } = this.#request;
    const message = {
      ...this.#message("user", hasFiles ? given : [{ type: "text", text: input }]),
      ...(command === undefined ? {} : { command }),
    };
    const active: ActiveTurn = {
      conversationId: this.#conversation.record.id,
      turnId: this.#turnId,
      state: "running",
      request: this.#request,
    };
    const begin = async (...more: readonly StorageWrite[]): Promise<Pick<Appended, "shown">> => {
      const { committed, shown } = this.#conversation.log.begin(
        [{ type: "turn-start", turnId: this.#turnId, input }],
        [
          this.#conversation.messageWrite(message),
          { kind: "set", key: keys.active(this.#turnId), value: active },
          ...writes,
          ...more,
        ],
        join,
      );
      await committed;
      return { shown };
    };
    const title = this.#conversation.record.title === null ? titleOf(input) : null;
    const begun = await (title === null
      ? begin()
      : this.#conversation.changeRecord((record) => ({ ...record, title: record.title ?? title }), begin));
    this.#conversation.remember(message);
    return begun;
  }

  /** Rejects only if the end cannot be stored. */
  async run(): Promise<void> {
    let outcome: TurnOutcome;
    try {
      outcome = { status: "completed", ...(await this.#steps()) };
    } catch (error) {
      outcome = { status: this.#failedStatus(), error };
    }
    try {
      if (this.#isCallLost) throw outcome.error;
      await this.#end(outcome);
    } catch (error) {
      // Unstored events were not shown, so the turn ends with the shown ones.
      const end = { status: "failed", error: toFailure(error, this.#context.redactor) } as const;
      await finishInterruptedTurn(this.#context, this.#conversation, this.#turnId, end);
      outcome = { status: "failed", error };
    }
    this.#tell(outcome);
  }

  #tell({ status, error }: TurnOutcome): void {
    const { id: conversationId, profile } = this.#conversation.record;
    this.#context.observers.tell({
      type: "turn",
      conversationId,
      turnId: this.#turnId,
      profile,
      asked: this.#asked,
      startedAtMs: this.#startedAtMs,
      endedAtMs: this.#context.clock.now(),
      status,
      error: status === "failed" ? toFailure(error, this.#context.redactor) : null,
    });
  }

  async #steps(): Promise<Pick<TurnOutcome, "cutReason" | "cutExplanation">> {
    const { record } = this.#conversation;
    const { settings } = this.#context;
    const model = this.#request.model ?? record.model;
    await this.#context.start.wait(this.#signal);
    this.#signal.throwIfAborted();
    const found = findModel(this.#context.providers, model);
    this.#asked = askedModel(found);
    this.#assertFiles(found, model);
    await this.#tellOfFolder();
    let prompt: SentPrompt | undefined;
    /** Tried once until a step succeeds. */
    let hasRecovered = false;
    /** Consecutive replies cut at the output limit within a tool call. */
    let cutReplies = 0;
    let isShortened = false;
    const maxSteps = Math.min(settings.maxSteps, this.#request.maxSteps ?? settings.maxSteps);
    const { maxCost, schema } = this.#request;
    const settingsOfCalls = schema === undefined ? record.settings : withSchema(record.settings, schema);
    const answer = schema === undefined ? undefined : new SchemaAnswer(schema);
    for (let count = 1; count <= maxSteps; count += 1) {
      const turnId = this.#turnId;
      await assertWithinCost(this.#context, this.#conversation.record, { found, model, turnId, maxCost });
      await assertMaySpend(this.#context, this.#conversation, { turnId, found, model });
      const window = settings.compaction.auto
        ? await this.#context.windows.of(found, { signal: this.#signal })
        : undefined;
      const due = { openTurn: this.#turnId, model, window, signal: this.#signal };
      const isNewEpoch = await compactWhenDue(this.#context, this.#conversation, due);
      this.#signal.throwIfAborted();
      const turn = { turnId: this.#turnId, signal: this.#signal };
      if (prompt === undefined || isNewEpoch) {
        const asked = { ...turn, model, request: this.#request, isNewEpoch: isNewEpoch || isShortened };
        isShortened = false;
        prompt = await promptForTurn(this.#context, this.#conversation, asked);
      }
      const hasOwnTools = found.provider.runsOwnTools === true;
      const { tools, deferred } = hasOwnTools
        ? none
        : await epochTools(this.#context, this.#conversation, { ...turn, found, model });
      // Tools run in the folder at the time of the call, even if the conversation is moved.
      const folder = this.#conversation.record.cwd;
      const cwd = hasOwnTools ? await this.#folderForAgent(found, model) : folder;
      const result = await new StepRunner(this.#context, this.#conversation, {
        turnId: this.#turnId,
        purpose: "turn",
        found,
        cwd,
        model,
        systemPrompt: prompt.texts,
        messages: [...this.#conversation.history],
        tools,
        deferred,
        ...(settingsOfCalls === undefined ? {} : { settings: settingsOfCalls }),
        audit: prompt,
        signal: this.#signal,
      }).run();
      this.#conversation.contextSize.report(result.step.usage, window);
      this.#unstored = await this.#toStore(result);
      if (isTooLong(result.failure)) this.#context.windows.learn(found, result.failure.message);
      if (isTooLong(result.failure) && !hasRecovered) {
        hasRecovered = true;
        await this.#recover(result.failure, model);
        prompt = undefined;
        isShortened = true;
        count -= 1;
        continue;
      }
      this.#context.windows.correct(found, result.step.usage);
      if (result.failure !== undefined)
        throw hasRecovered ? withoutAdvice(result.failure) : withRefusedFiles(result.failure, this.#conversation);
      hasRecovered = false; // Later results may overflow the window again.
      const calls = unanswered(result.parts);
      if (calls.length === 0) {
        const hasEnded = result.parts.some(isSaid) || (count > 1 && result.finishReason === "stop");
        const cutReason = cutReasonOf(result.finishReason);
        if (!hasEnded)
          throw cutReason === undefined
            ? emptyReply(model, result.finishReason)
            : nothingSaid(model, cutReason, result.explanation);
        if (answer === undefined) return cutOf(cutReason, result.explanation);
        if (cutReason === "content-filter") throw nothingSaid(model, cutReason, result.explanation);
        const problem = answer.problemOf(result.parts);
        if (problem === undefined) return {}; // Valid JSON is complete.
        await this.#askAgain(this.#unstored, problem);
        continue;
      }
      await this.#storeCalls(this.#unstored);
      const isCut = result.finishReason === "length" && !isWhole(calls.at(-1)?.input ?? "");
      cutReplies = isCut ? cutReplies + 1 : 0;
      await this.#runTools(
        calls,
        { tools, deferred },
        {
          cwd: folder,
          stepId: result.step.id,
          calledBy: askedModel(found),
          ...(isCut ? { cutCallId: calls.at(-1)?.toolCallId } : {}),
        },
      );
      if (cutReplies >= maxCutReplies) throw cutAgainAndAgain(model);
    }
    const message = `The turn reached its limit of ${maxSteps} model ${maxSteps === 1 ? "call" : "calls"} before it was finished`;
    throw new StepFailure({ code: "MAX_STEPS", message, isRetryable: false });
  }

  /**
   * After the model rejected the history as too long.
   *
   * @throws {StepFailure} with the reason it could not be compacted.
   */
  async #recover(refused: StepFailure, model: string): Promise<void> {
    const { settings } = this.#context;
    if (!settings.compaction.auto) throw refused;
    if (this.#unstored !== undefined) await this.#store(this.#unstored);
    this.#unstored = undefined;
    try {
      const request = { openTurn: this.#turnId, model, isRefused: true, signal: this.#signal };
      await compact(this.#context, this.#conversation, request);
    } catch (error) {
      this.#signal.throwIfAborted();
      const isShort = ServiceError.is(error) && error.code === "NOTHING_TO_COMPACT";
      throw isShort ? withoutAdvice(refused) : withoutAdvice(refused, errorMessage(error));
    }
  }

  /** For a provider that runs its own tools. An imported folder requires approval, as for host tools. */
  async #folderForAgent(found: FoundModel, model: string): Promise<string> {
    const { cwd, importedAt } = this.#conversation.record;
    if (importedAt === null) return cwd;
    const folder = await realFolder(cwd, { fs: this.#context.fs, signal: this.#signal });
    const { approvals } = this.#conversation;
    const question = {
      turnId: this.#turnId,
      toolCallId: "agent",
      name: found.provider.id,
      owner: providerAsker(found),
      input: "{}",
      preview: () => Promise.resolve(undefined),
      timeoutMs: this.#context.settings.approvalTimeoutMs,
      signal: this.#signal,
    };
    const { decision } = await approvals.askFolder(question, folder);
    this.#signal.throwIfAborted();
    if (decision !== "deny") return folder;
    const message = `"${model}" may not use "${folder}", the folder of this imported conversation: nothing was sent to it`;
    throw new StepFailure({ code: "APPROVAL_DENIED", message, isRetryable: false });
  }

  /** Reports a missing working folder; the turn continues without it. */
  async #tellOfFolder(): Promise<void> {
    const message = await this.#folderNotice;
    if (message !== undefined)
      await this.#conversation.log.append([{ type: "folder-notice", turnId: this.#turnId, message }], []);
  }

  /** The message stays in the conversation; later requests replace the file with its description. */
  #assertFiles(found: FoundModel, model: string): void {
    const { input } = this.#request;
    if (typeof input === "string") return;
    const refused = input.find((part) => part.type === "file" && !acceptsFile(found, part.mediaType));
    if (refused?.type !== "file") return;
    const message = `Cannot send [${describeFile(refused)}]: "${model}" does not take ${refused.mediaType}; choose another model, or send it as text`;
    throw new StepFailure({ code: "INPUT_UNSUPPORTED", message, isRetryable: false });
  }

  /** One transaction with the step's record, messages and events; the last step shares it with the turn's end. */
  async #toStore({ step, parts, failure }: StepResult): Promise<Unstored> {
    // Calls of a failed step never ran: without results they would invalidate the next request.
    const dropped: readonly MessagePart[] = failure === undefined ? [] : unanswered(parts);
    const kept = parts.filter((part) => !dropped.includes(part));
    const messages = !kept.some(isSaid)
      ? []
      : messagesOf(kept).map(({ role, parts: said }) =>
          role === "tool" ? this.#message(role, said) : { ...this.#message(role, said), model: step.model },
        );
    const events: NewEvent[] = [
      {
        type: "step-end",
        turnId: this.#turnId,
        stepId: step.id,
        usage: step.usage ?? {
          inputTokens: null,
          outputTokens: null,
          cacheReadTokens: null,
          cacheWriteTokens: null,
        },
        finishReason: step.finishReason ?? "error",
      },
    ];
    const writes = [...(await stepEndWrites(this.#conversation, step))];
    for (const [ahead, message] of messages.entries()) {
      if (message.role === "assistant")
        events.push({ type: "message-end", turnId: this.#turnId, messageId: message.id });
      writes.push(this.#conversation.messageWrite(message, ahead));
    }
    return { events, writes, messages };
  }

  async #store({ events, writes, messages }: Unstored): Promise<void> {
    await this.#conversation.log.append(events, writes);
    this.#conversation.stepSum.stored();
    for (const message of messages) this.#conversation.remember(message);
  }

  async #askAgain(unstored: Unstored, problem: string): Promise<void> {
    await this.#store(unstored);
    const message = this.#message("user", [{ type: "text", text: problem }]);
    this.#unstored = { events: [], writes: [this.#conversation.messageWrite(message)], messages: [message] };
    await this.#store(this.#unstored);
    this.#unstored = undefined;
  }

  /**
   * Calls run only after they are stored. A failure is not retried, because calls without results would invalidate the
   * next request.
   */
  async #storeCalls(unstored: Unstored): Promise<void> {
    this.#unstored = undefined;
    this.#isCallLost = true;
    await this.#store(unstored);
    this.#isCallLost = false;
  }

  async #runTools(
    calls: readonly ToolCall[],
    { tools, deferred }: TurnTools,
    { cwd, ...called }: Pick<ToolRound, "cwd" | "stepId" | "calledBy" | "cutCallId">,
  ): Promise<void> {
    const { approvals, questions, keptFiles, history, log, record } = this.#conversation;
    const query = { ...toolsQuery(record), cwd, turnId: this.#turnId, signal: this.#signal };
    const { allow = [] } = this.#request;
    const timeoutMs = this.#context.settings.toolSourceTimeoutMs;
    const lookup =
      deferred === undefined ? undefined : new ToolSearch(this.#context, deferred, { ...query, timeoutMs });
    // A task's questions would appear only in its caller's conversation.
    const isUnattended = this.#request.isUnattended === true || record.parent !== null;
    const asked = { approvals, questions, keptFiles, isUnattended, allow };
    const sent = { sent: tools, lookup, log, hostLog: this.#context.log, history };
    const round = { ...this.#context, ...query, ...asked, ...sent, ...called };
    const { results, unaskedCalls, previews, failure } = await runToolCalls(calls, round);
    const unasked = unaskedCalls.length === 0 ? {} : { unaskedCalls: [...unaskedCalls] };
    const shown = previews.length === 0 ? {} : { previews: [...previews] };
    const message = { ...this.#message("tool", results), ...unasked, ...shown };
    this.#unstored = { events: [], writes: [this.#conversation.messageWrite(message)], messages: [message] };
    if (failure !== undefined) throw failure;
    await this.#store(this.#unstored);
    this.#unstored = undefined;
  }

  #failedStatus(): Exclude<TurnStatus, "completed"> {
    if (!this.#signal.aborted) return "failed";
    return this.#signal.reason === hostStops ? "interrupted" : "cancelled";
  }

  async #end({ status, error, cutReason, cutExplanation }: TurnOutcome): Promise<void> {
    const end = {
      ...(status === "failed" ? { error: toFailure(error, this.#context.redactor) } : {}),
      ...(cutReason === undefined ? {} : { cutReason }),
      ...(cutExplanation === undefined ? {} : { cutExplanation }),
    };
    const updatedAt = new Date(this.#context.clock.now()).toISOString();
    const { events = [], writes: unstored = [], messages = [] } = this.#unstored ?? {};
    const writes = [...unstored, ...turnEndWrites(this.#conversation, { status, ...end }, messages.length)];
    await this.#conversation.changeRecord(
      (record) => ({ ...record, updatedAt }),
      (write) =>
        this.#store({
          events: [...events, { type: "turn-end", turnId: this.#turnId, status, ...end }],
          writes: [...writes, { kind: "delete", key: keys.active(this.#turnId) }, write],
          messages,
        }),
    );
  }

  #message(role: Message["role"], parts: readonly MessagePart[]): Message {
    return this.#conversation.newMessage({ role, parts: [...parts], turnId: this.#turnId });
  }
}

function isWhole(input: string): boolean {
  try {
    parseJson(input);
    return true;
  } catch {
    return false;
  }
}

/** Stops a model that keeps exceeding its output limit despite the error results. */
const maxCutReplies = 3;

function cutAgainAndAgain(model: string): StepFailure {
  const message = `"${model}" reached its output limit in the middle of a call ${maxCutReplies} times in a row; raise max_output_tokens in [profiles.NAME] settings, or ask for smaller pieces`;
  return new StepFailure({ code: "OUTPUT_LIMIT", message, isRetryable: false });
}

type TurnTools = Pick<ToolList, "tools" | "deferred">;

/** Removes advice that was already tried. `reason`: why compaction failed. */
function withoutAdvice(error: unknown, reason?: string): unknown {
  if (!isTooLong(error)) return error;
  const said = withoutCompactAdvice(error.failure.message);
  const tried = reason === undefined ? "" : `; ${withoutCompactAdvice(reason).replace(/[.;]$/, "")}`;
  const message = `${said}${tried}; undo the last message and send less, or choose a model with a larger context window`;
  return new StepFailure({ ...error.failure, message });
}

/** A shared constant, because hashes of request parts are cached by identity. */
const none: TurnTools = { tools: [], deferred: undefined };

/** Vendors reject a message without any of these. */
function isSaid(part: MessagePart): boolean {
  return part.type === "tool-call" || (part.type === "text" && part.text.trim() !== "");
}

function cutOf(
  cutReason: CutReason | undefined,
  explanation: string | undefined,
): Pick<TurnOutcome, "cutReason" | "cutExplanation"> {
  if (cutReason === undefined) return {};
  const isExplained = cutReason === "content-filter" && explanation !== undefined && explanation.trim() !== "";
  return { cutReason, ...(isExplained ? { cutExplanation: explanation } : {}) };
}

function nothingSaid(model: string, reason: CutReason, explanation: string | undefined): StepFailure {
  const why = explanation === undefined ? "" : `; it says: ${singleLine(explanation).trim()}`;
  const failure =
    reason === "length"
      ? {
          code: "OUTPUT_LIMIT",
          message: `"${model}" reached its output limit before any output; raise max_output_tokens in [profiles.NAME] settings, or let it reason less (--effort low)`,
        }
      : {
          code: "REPLY_REFUSED",
          message: `The vendor of "${model}" refused to answer; ask in other words, or choose another model${why}`,
        };
  return new StepFailure({ ...failure, isRetryable: false });
}

/** A model may have nothing to add after tool results; otherwise an empty reply is an error. */
function emptyReply(model: string, finishReason: string | undefined): StepFailure {
  const message = `"${model}" returned an empty reply (finish reason "${finishReason ?? "none"}"); send the message again, or another one`;
  return new StepFailure({ code: "EMPTY_REPLY", message, isRetryable: false });
}
