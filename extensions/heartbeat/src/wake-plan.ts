import { budgetedAgent, isTransient, budgetReason } from "@incipit/gateway-protocol";
import type { ConversationId, Failure, WakeOutcome } from "@incipit/schema";
import type { ConversationsService } from "@incipit/service-contract";
import type { HeartContext } from "./heart-context.ts";
import { conversationNow } from "./wake-conversation.ts";
import { wakeText } from "./wake-text.ts";

const graceMs = 60_000;

export type WakePlan =
  | { readonly kind: "wake"; readonly text: string }
  | {
      readonly kind: "idle";
      readonly end: { readonly outcome: WakeOutcome; readonly error: Failure };
      readonly tell?: { readonly text: string; readonly key: string };
    };

export async function planWake(context: HeartContext, dueMs: number): Promise<WakePlan> {
  const { clock, conversations } = context;
  if (clock.now() - dueMs > graceMs) return idle("missed", "MISSED", "The host did not run at its time");
  const spent = await spentBudget(context);
  if (spent !== undefined) {
    const { message, key } = spent;
    const tell = { text: message, key: `budget ${key} ${context.tell ?? ""}` };
    return { ...idle("budget", "BUDGET_SPENT", message), tell };
  }
  const text = await wakeText(context);
  if (text.kind === "nothing") return idle("empty", "NOTHING_TO_DO", text.why);
  if (text.kind === "problem") return idle("failed", "FILE_UNUSABLE", text.why);
  const id = await conversationNow(context);
  if (id !== undefined && (await isBusy(conversations.get(), id)))
    return idle("busy", "CONVERSATION_BUSY", "Something was running in its conversation");
  return { kind: "wake", text: text.text };
}

function idle(outcome: WakeOutcome, code: string, message: string): Extract<WakePlan, { kind: "idle" }> {
  return { kind: "idle", end: { outcome, error: { code, message } } };
}

async function spentBudget(
  context: HeartContext,
): Promise<{ readonly message: string; readonly key: string } | undefined> {
  const { spending, maxTokensPerDay, maxUsdPerDay, unattended, conversations, profile } = context;
  if (maxTokensPerDay !== undefined || maxUsdPerDay !== undefined) {
    const message = budgetReason(await spending.used(), {
      what: "The heartbeat has",
      tokens: { max: maxTokensPerDay ?? null, key: "heartbeat.max_tokens_per_day" },
      usd: { max: maxUsdPerDay ?? null, key: "heartbeat.max_usd_per_day" },
    });
    if (message !== undefined) return { message, key: `heartbeat ${spending.today}` };
  }
  const conversationId = await conversationNow(context);
  const agent = await budgetedAgent(conversations.get(), { conversationId, profile });
  const whole = await unattended.current?.whySpent(agent);
  return whole === undefined ? undefined : { message: whole.message, key: `unattended ${whole.key}` };
}

async function isBusy(conversations: ConversationsService, id: ConversationId): Promise<boolean> {
  try {
    return (await conversations.get(id)).status !== "idle";
  } catch (error) {
    if (isTransient(error)) throw error;
    return false; // Sending reports why the conversation is unusable.
  }
}
