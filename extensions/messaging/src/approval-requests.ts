import { errorMessage, type StorageWrite } from "@incipit/kernel";
import {
  approvalDecisionSchema,
  approvalIdSchema,
  approvalLines,
  renderApproval,
  type ApprovalDecision,
  type QuestionId,
  type RenderedApproval,
  type TurnEvent,
} from "@incipit/schema";
import {
  codeOf,
  isTransient,
  type Channel,
  type ChannelButton,
  type ChannelUpdate,
} from "@incipit/service-contract";
import { inOtherPlaces, over } from "./approval-part.ts";
import type { ChannelContext } from "./chats-context.ts";
import { keys } from "./keys.ts";
import type { Outbox } from "./outbox.ts";
import { storedAskSchema, storedNothingSchema, type StoredContent, type StoredOwed } from "./stored.ts";
import { textContents } from "./texts.ts";

type ApprovalRequest = Extract<TurnEvent, { type: "approval-request" }>;
type Press = Extract<ChannelUpdate, { kind: "press" }>;

const maxShownLength = 1_500;
const maxNameLength = 200;
/** Most messages of an approval request: users would not read a longer one before they answer. */
const maxMessages = 6;
const wholeToolId = "tool";
const elsewhere = `This is too long to show here, so you can only deny it here. ${inOtherPlaces}`;

export class ApprovalRequests {
  readonly #context: ChannelContext;
  readonly #outbox: Outbox;
  readonly #mayTalk: (update: ChannelUpdate) => boolean;

  constructor(context: ChannelContext, outbox: Outbox, mayTalk: (update: ChannelUpdate) => boolean) {
    this.#context = context;
    this.#outbox = outbox;
    this.#mayTalk = mayTalk;
  }

  /** Events are read again after a restart. */
  async ask(chatId: string, owed: StoredOwed, event: ApprovalRequest): Promise<void> {
    const { storage, channel, conversations } = this.#context;
    const key = keys.ask(channel.id, chatId, event.approvalId);
    if ((await storage.get(key, storedAskSchema)) !== undefined) return;
    const { approvals } = await conversations.get().get(owed.conversationId);
    if (approvals.every(({ approvalId }) => approvalId !== event.approvalId)) return;
    const replyTo = owed.isGroup && owed.messageId !== "" ? owed.messageId : undefined;
    const { contents, offers } = questionFor(channel, event, replyTo);
    const ask = { chatId, conversationId: owed.conversationId, turnId: owed.turnId, offers: [...offers] };
    const { writes } = this.#outbox.prepare(chatId, contents);
    const result = await storage.atomic([{ key, version: null }], [{ kind: "set", key, value: ask }, ...writes]);
    if (result.kind === "committed") this.#outbox.wake(chatId);
  }

  /** Cancels a question of a tool, because a chat has no forms; the model is informed. */
  async cancel({ conversationId }: StoredOwed, questionId: QuestionId): Promise<void> {
    try {
      const answer = { action: "cancel", isUnattended: true } as const;
      await this.#context.approvals.get().answerQuestion(conversationId, questionId, answer);
    } catch (error) {
      const code = codeOf(error);
      if (code !== "QUESTION_ENDED" && code !== "QUESTION_UNKNOWN" && code !== "CONVERSATION_UNKNOWN") throw error;
    }
  }

  async closed(chatId: string): Promise<readonly StorageWrite[]> {
    const prefix = keys.asksIn(this.#context.channel.id, chatId);
    const asked = await this.#context.storage.list({ prefix, limit: 1_000 }, storedNothingSchema);
    return asked.map(({ key }) => ({ kind: "delete", key }));
  }

  /** Returns the notice for the person. Rejects with transient errors: the press is then delivered again. */
  async press(update: Press): Promise<string> {
    const { storage, channel, approvals, moves } = this.#context;
    const { chat, sender, button } = update;
    const colon = button.indexOf(":");
    const decision = approvalDecisionSchema.safeParse(button.slice(0, colon));
    const approvalId = approvalIdSchema.safeParse(button.slice(colon + 1));
    if (!decision.success || !approvalId.success) return over;
    const { approvers } = moves.settingsOf(chat.id);
    const mayAnswer = approvers === undefined ? this.#mayTalk(update) : approvers.includes(sender.id);
    if (!mayAnswer) return "You may not answer this.";
    const ask = await storage.get(keys.ask(channel.id, chat.id, approvalId.data), storedAskSchema);
    if (ask === undefined) return over;
    if (!ask.offers.includes(decision.data)) return "You can only allow or deny here.";
    try {
      await approvals.get().answerApproval(ask.conversationId, approvalId.data, { decision: decision.data });
    } catch (error) {
      const code = codeOf(error);
      if (code === "APPROVAL_ENDED" || code === "APPROVAL_UNKNOWN" || code === "CONVERSATION_UNKNOWN") return over;
      if (isTransient(error)) throw error;
      return `Your answer failed: ${errorMessage(error)}`;
    }
    return decision.data === "deny" ? "Denied." : "Allowed.";
  }
}

interface ChatQuestion {
  readonly contents: readonly StoredContent[];
  readonly offers: readonly ApprovalDecision[];
}

/**
 * A request that takes too many messages can only be denied here. Offers "always" only when the request describes its
 * scope.
 */
export function questionFor(
  channel: Pick<Channel, "split">,
  event: ApprovalRequest,
  replyTo: string | undefined,
): ChatQuestion {
  const rendered = renderApproval(event);
  const always = rendered.scopes.find(({ id }) => id === wholeToolId);
  const offers = ["allow", ...(always === undefined ? [] : (["allow-always"] as const)), "deny"] as const;
  const whole = textContents(channel, questionText(rendered, always?.covers), {
    buttons: buttonsOf(event.approvalId, offers),
    replyTo,
    approvalId: event.approvalId,
  });
  if (rendered.isWhole && whole.length <= maxMessages) return { contents: whole, offers };
  const text = `${questionText(shortened(rendered), undefined)}\n\n${elsewhere}`;
  const denied = ["deny"] as const;
  return {
    contents: textContents(channel, text, {
      buttons: buttonsOf(event.approvalId, denied),
      replyTo,
      approvalId: event.approvalId,
    }),
    offers: denied,
  };
}

function questionText(rendered: RenderedApproval, always: string | undefined): string {
  const { tool, folder, reason } = rendered;
  const asked =
    folder === undefined
      ? `May I use ${code(tool)}?`
      : `This conversation was imported. May its tools use ${code(folder)}?`;
  const lines = approvalLines(rendered, { isTerse: true });
  return [
    asked,
    ...(reason === undefined ? [] : [code(reason)]),
    ...(lines.length === 0 ? [] : [fenced(lines.join("\n"))]),
    ...(always === undefined ? [] : [`Always, in this conversation: ${code(always)}`]),
  ].join("\n\n");
}

function shortened(rendered: RenderedApproval): RenderedApproval {
  const text = approvalLines(rendered, { isTerse: true }).join("\n");
  const rawInput = `${text.slice(0, maxShownLength).toWellFormed()}${text.length > maxShownLength ? "…" : ""}`;
  const { reason, folder, tool } = rendered;
  return {
    ...rendered,
    tool: tool.slice(0, maxNameLength).toWellFormed(),
    folder: folder?.slice(0, maxShownLength).toWellFormed(),
    reason: reason?.slice(0, maxShownLength).toWellFormed(),
    arguments: [],
    preview: undefined,
    rawInput,
  };
}

/** Formats a text as inline code that the text itself cannot close. */
function code(text: string): string {
  const fence = "`".repeat(longestRun(text, 0) + 1);
  return fence.length === 1 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}

function fenced(text: string): string {
  const fence = "`".repeat(longestRun(text, 2) + 1);
  return `${fence}\n${text}\n${fence}`;
}

function longestRun(text: string, least: number): number {
  let longest = least;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

function buttonsOf(approvalId: string, offers: readonly ApprovalDecision[]): readonly ChannelButton[] {
  return offers.map((decision) => ({ id: `${decision}:${approvalId}`, label: labels[decision] }));
}

const labels = { allow: "Allow", "allow-always": "Always", deny: "Deny" } as const satisfies Record<
  ApprovalDecision,
  string
>;
