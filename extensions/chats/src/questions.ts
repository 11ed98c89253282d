import { codeOf, isPassing } from "@incipit/gateway-protocol";
import { errorMessage, type StorageWrite } from "@incipit/kernel";
import { approvalDecisionSchema, approvalIdSchema, type QuestionId, type TurnEvent } from "@incipit/schema";
import type { ChannelButton, ChannelUpdate } from "@incipit/service-contract";
import { chatSettings } from "./chat-settings.ts";
import type { ChannelContext } from "./chats-context.ts";
import { keys } from "./keys.ts";
import type { Outbox } from "./outbox.ts";
import { storedAskSchema, storedNothingSchema, type StoredOwed } from "./stored.ts";
import { oneLineOf, textContents } from "./texts.ts";

type ApprovalRequest = Extract<TurnEvent, { type: "approval-request" }>;
type Press = Extract<ChannelUpdate, { kind: "press" }>;

const maxShownLength = 1_500;
const over = "That is over: it was answered elsewhere, or has waited too long.";

/** Tool calls that wait for a person, asked in the chat that caused them: each once, with buttons. */
export class Questions {
  readonly #context: ChannelContext;
  readonly #outbox: Outbox;
  readonly #mayTalk: (update: ChannelUpdate) => boolean;

  constructor(context: ChannelContext, outbox: Outbox, mayTalk: (update: ChannelUpdate) => boolean) {
    this.#context = context;
    this.#outbox = outbox;
    this.#mayTalk = mayTalk;
  }

  /** Asks in the chat, unless that was done, or it is over: events are read again after a restart. */
  async ask(chatId: string, owed: StoredOwed, event: ApprovalRequest): Promise<void> {
    const { storage, channel, conversations } = this.#context;
    const key = keys.ask(channel.id, chatId, event.approvalId);
    if ((await storage.get(key, storedAskSchema)) !== undefined) return;
    const { approvals } = await conversations.get().get(owed.conversationId);
    if (approvals.every(({ approvalId }) => approvalId !== event.approvalId)) return;
    const contents = textContents(channel, questionText(event), {
      buttons: buttonsOf(event),
      replyTo: owed.isGroup && owed.messageId !== "" ? owed.messageId : undefined,
    });
    const ask = { chatId, conversationId: owed.conversationId, turnId: owed.turnId };
    const { writes } = this.#outbox.prepare(chatId, contents);
    const result = await storage.atomic([{ key, version: null }], [{ kind: "set", key, value: ask }, ...writes]);
    if (result.kind === "committed") this.#outbox.wake(chatId);
  }

  /** A chat has no form: what a tool asks for is cancelled at once, and the model is told so. */
  async cancel({ conversationId }: StoredOwed, questionId: QuestionId): Promise<void> {
    try {
      const answer = { action: "cancel", isUnattended: true } as const;
      await this.#context.approvals.get().answerQuestion(conversationId, questionId, answer);
    } catch (error) {
      const code = codeOf(error);
      if (code !== "QUESTION_ENDED" && code !== "QUESTION_UNKNOWN" && code !== "CONVERSATION_UNKNOWN") throw error;
    }
  }

  /** What is asked no longer once a turn is over. */
  async closed(chatId: string): Promise<readonly StorageWrite[]> {
    const prefix = keys.asksIn(this.#context.channel.id, chatId);
    const asked = await this.#context.storage.list({ prefix, limit: 1_000 }, storedNothingSchema);
    return asked.map(({ key }) => ({ kind: "delete", key }));
  }

  /** Gives what whoever has pressed is told. Rejects with what passes: the press is given again. */
  async press(update: Press): Promise<string> {
    const { storage, channel, approvals } = this.#context;
    const { chat, sender, button } = update;
    const colon = button.indexOf(":");
    const decision = approvalDecisionSchema.safeParse(button.slice(0, colon));
    const approvalId = approvalIdSchema.safeParse(button.slice(colon + 1));
    if (!decision.success || !approvalId.success) return over;
    const { approvers } = chatSettings(channel, chat.id);
    const mayAnswer = approvers === undefined ? this.#mayTalk(update) : approvers.includes(sender.id);
    if (!mayAnswer) return "You may not answer this.";
    const ask = await storage.get(keys.ask(channel.id, chat.id, approvalId.data), storedAskSchema);
    if (ask === undefined) return over;
    try {
      await approvals.get().answerApproval(ask.conversationId, approvalId.data, { decision: decision.data });
    } catch (error) {
      const code = codeOf(error);
      if (code === "APPROVAL_ENDED" || code === "APPROVAL_UNKNOWN" || code === "CONVERSATION_UNKNOWN") return over;
      if (isPassing(error)) throw error;
      return `That could not be answered: ${errorMessage(error)}`;
    }
    return decision.data === "deny" ? "Denied." : "Allowed.";
  }
}

function questionText({ name, input, preview, why, folder }: ApprovalRequest): string {
  const asked =
    folder === undefined
      ? `May I use **${oneLineOf(name)}**?`
      : `May the tools of this conversation work in \`${oneLineOf(folder, 500)}\`?`;
  const shown = preview ?? input;
  const isCut = shown.length > maxShownLength;
  const detail = isCut
    ? `${shown.slice(0, maxShownLength).toWellFormed()}\n… (cut; all of it is in the conversation)`
    : shown;
  const reason = why === undefined ? "" : `\n\n${oneLineOf(why, 500)}`;
  return `${asked}${reason}\n\n${fenced(detail)}`;
}

/** A fence that nothing in the text ends. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function buttonsOf({ approvalId, why, folder }: ApprovalRequest): readonly ChannelButton[] {
  const allow = { id: `allow:${approvalId}`, label: "Allow" };
  const deny = { id: `deny:${approvalId}`, label: "Deny" };
  const always = { id: `allow-always:${approvalId}`, label: "Always" };
  return why === undefined && folder === undefined ? [allow, always, deny] : [allow, deny];
}
