import { errorMessage, fittingJson, type Clock, type Log, type ServiceReference } from "@incipit/kernel";
import {
  conversationIdSchema,
  turnIdSchema,
  type Conversation,
  type ConversationId,
  type CreateConversationRequest,
  type TurnEvent,
} from "@incipit/schema";
import {
  codeOf,
  failedTurn,
  followTurn,
  replyWithNote,
  type ApprovalsService,
  type ConversationsService,
  type PermissionAnswer,
  type ToolQuestion,
  type TurnOutcome,
} from "@incipit/service-contract";
import type { AgentInput } from "./agent-input.ts";
import { intersectAllowedTools } from "./intersect-tools.ts";
import type { TaskSlots } from "./task-slots.ts";
import { TaskApprovals } from "./task-approvals.ts";
import type { UsableProfile } from "./usable-profiles.ts";

/** Limit of `Conversation.allowedTools`. */
const maxAllowedTools = 200;

export interface TaskContext {
  readonly conversations: ServiceReference<ConversationsService>;
  readonly approvals: ServiceReference<ApprovalsService>;
  readonly clock: Clock;
  readonly log: Log;
  readonly places: TaskSlots;
  readonly profiles: () => readonly UsableProfile[];
  readonly maxDepth: number;
  readonly maxTokens: number | undefined;
  readonly timeoutMs: number;
}

export interface TaskCall {
  readonly conversationId: string;
  readonly turnId: string;
  readonly toolCallId: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly askPermission: ((question: ToolQuestion) => Promise<PermissionAnswer>) | undefined;
}

interface TaskAnswer {
  readonly reply: string;
  readonly told: string;
}

/**
 * Stops the task when the signal aborts.
 * @throws {Error} with a message for the model if the task ends without a reply.
 */
export async function runTask(context: TaskContext, input: AgentInput, call: TaskCall): Promise<string> {
  const check = input.schema === undefined ? undefined : fittingJson(input.schema);
  const { conversations, places } = context;
  const caller = await conversations.get().get(conversationIdSchema.parse(call.conversationId));
  const request = requestOf(context, caller, { profile: input.profile, cwd: call.cwd });
  using _place = await places.take(caller.id, call.turnId, call.signal);
  const parent = {
    conversationId: caller.id,
    turnId: turnIdSchema.parse(call.turnId),
    toolCallId: call.toolCallId,
  };
  const { id } = await conversations.get().create(request, { parent, signal: call.signal });
  using task = new RunningTask(context, { id, call, who: whoOf(input.profile) });
  // Awaited: the slot and the timeout end with the task.
  if (check === undefined) return (await task.say(input.task)).told;
  const said = await task.say(`${input.task}\n\n${schemaText(input)}`);
  const first = check(said.reply);
  if (first.kind === "fits") return first.text;
  const second = check((await task.say(againText(first.problem))).reply);
  if (second.kind === "fits") return second.text;
  throw new Error(`The task's answer does not fit the schema, twice: ${second.problem}`);
}

/** A task's conversation never has more permissions than its caller. */
function requestOf(
  { profiles, maxDepth }: TaskContext,
  caller: Conversation,
  { profile: name, cwd }: { readonly profile: string | undefined; readonly cwd: string },
): CreateConversationRequest {
  // Tools are listed once per epoch, and the configuration may have changed since.
  if ((caller.parent?.depth ?? 0) >= maxDepth)
    throw new Error(`No task may be given here: tasks are ${maxDepth} deep already (subagents.max_depth)`);
  const known = profiles();
  const profile = known.find((one) => one.name === name);
  if (name !== undefined && profile === undefined) {
    const names = known.map((one) => `"${one.name}"`).join(", ") || "none";
    throw new Error(`There is no profile "${name}" that a task may be given to; there are ${names}`);
  }
  const allowedTools = intersectAllowedTools(caller.allowedTools, profile?.tools ?? null);
  if (allowedTools !== null && allowedTools.length > maxAllowedTools)
    throw new Error(
      `The tools that this conversation and profile "${name}" both allow are more than ${maxAllowedTools} names: allow fewer, or by how names begin`,
    );
  const own = { model: caller.model, ...(caller.profile === null ? {} : { profile: caller.profile }) };
  return {
    cwd,
    ...(name === undefined ? own : { profile: name }),
    ...(allowedTools === null ? {} : { allowedTools: [...allowedTools] }),
  };
}

function whoOf(profile: string | undefined): string {
  return profile === undefined ? "A task" : `A task of profile "${profile}"`;
}

function schemaText({ schema }: AgentInput): string {
  return `Your last message is read by a program: it is JSON alone, without a word before or behind it, that fits this JSON Schema:\n${JSON.stringify(schema)}`;
}

function againText(problem: string): string {
  return `Your last message does not fit the schema: ${problem}\nWrite it again, as JSON alone.`;
}

class RunningTask implements Disposable {
  readonly #context: TaskContext;
  readonly #id: ConversationId;
  readonly #call: TaskCall;
  readonly #questions: TaskApprovals | undefined;
  readonly #cancelTimer: () => void;
  #tokens = 0;
  #reason: string | undefined;

  constructor(
    context: TaskContext,
    { id, call, who }: { readonly id: ConversationId; readonly call: TaskCall; readonly who: string },
  ) {
    this.#context = context;
    this.#id = id;
    this.#call = call;
    const { approvals, clock, log, timeoutMs } = context;
    const { askPermission: ask } = call;
    this.#questions =
      ask === undefined ? undefined : new TaskApprovals({ conversationId: id, who, approvals, ask, log });
    this.#cancelTimer = clock.setTimer(() => {
      const minutes = timeoutMs / 60_000;
      this.#stopFor(`it did not end within ${minutes} min, and was stopped (subagents.timeout_minutes)`);
    }, timeoutMs);
  }

  [Symbol.dispose](): void {
    this.#cancelTimer();
  }

  async say(text: string): Promise<TaskAnswer> {
    const { conversations, clock } = this.#context;
    const { signal } = this.#call;
    if (this.#reason !== undefined) throw new Error(`The task has no answer: ${this.#reason}`);
    signal.throwIfAborted();
    const turn = await conversations.get().send(this.#id, { input: text });
    const sent = { conversationId: this.#id, ...turn };
    const outcome = await followTurn({ conversations, clock, signal }, sent, (event) => this.#take(event)).catch(
      failedTurn,
    );
    if (outcome === undefined) {
      await this.#stop();
      throw new Error("The task was stopped with its caller");
    }
    return this.#answerOf(outcome);
  }

  #take(event: TurnEvent): void {
    this.#questions?.take(event);
    if (event.type !== "step-end") return;
    this.#tokens += (event.usage.inputTokens ?? 0) + (event.usage.outputTokens ?? 0);
    const { maxTokens } = this.#context;
    if (maxTokens === undefined || this.#tokens < maxTokens) return;
    const used = `it has used ${this.#tokens} tokens, and may use ${maxTokens}`;
    this.#stopFor(`${used} (subagents.max_tokens): it was stopped`);
  }

  #stopFor(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    void this.#stop();
  }

  /** Never rejects: a stopping host ends its turns itself. */
  async #stop(): Promise<void> {
    const { conversations, log } = this.#context;
    try {
      await conversations.get().stop(this.#id);
    } catch (error) {
      if (codeOf(error) === "CONVERSATION_UNKNOWN") return;
      log.warn("A task could not be stopped", { conversationId: this.#id, error: errorMessage(error) });
    }
  }

  #answerOf(outcome: TurnOutcome): TaskAnswer {
    const { status, error, reply } = outcome;
    switch (status) {
      case "completed":
        return {
          reply,
          told: reply.trim() === "" ? "The task has ended, and says nothing." : replyWithNote(outcome),
        };
      case "failed":
        throw new Error(
          `The task failed: ${error === null ? "no reason is known" : `${error.message} (${error.code})`}`,
        );
      case "cancelled":
        throw new Error(`The task has no answer: ${this.#reason ?? "somebody stopped it"}`);
      case "interrupted":
        throw new Error("The task has no answer: the host stopped while it ran");
    }
  }
}
