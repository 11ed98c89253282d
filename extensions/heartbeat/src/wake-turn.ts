import {
  budgetedAgent,
  codeOf,
  failedTurn,
  followTurn,
  sendMessage,
  spentByTurn,
  replyWithNote,
  type TurnOutcome,
} from "@incipit/gateway-protocol";
import type { StorageWrite } from "@incipit/kernel";
import { nothingSpent, type Spent } from "@incipit/schema";
import type { Beat } from "./beat.ts";
import type { HeartContext } from "./heart-context.ts";
import { replyOutcome } from "./reply-outcome.ts";
import { respondToolName } from "./respond-tool.ts";
import { keys, storedResponseSchema, storedWakeSchema, type StoredWake } from "./stored.ts";
import { notifyPerson } from "./notify-chat.ts";
import { conversationNow, isMade, ownWrites } from "./wake-conversation.ts";

const keptWakes = 200;

export class WakeTurn {
  readonly #context: HeartContext;
  readonly #beat: Beat;

  constructor(context: HeartContext, beat: Beat) {
    this.#context = context;
    this.#beat = beat;
  }

  /** Rejects with transient errors. If the activation ends first, the next one continues. */
  async carryOut(id: string): Promise<void> {
    const wake = await this.#context.storage.get(keys.wake(id), storedWakeSchema);
    if (wake === undefined) {
      const beat = await this.#beat.read();
      return this.#beat.end(beat, { lastAlertId: beat.value.lastAlertId, checks: [], writes: [], join: [] });
    }
    let sent = wake;
    let outcome: TurnOutcome | undefined;
    try {
      sent = wake.turnId === null ? await this.#send(wake) : wake;
      const { conversationId, turnId, afterSeq } = sent;
      if (conversationId !== null && turnId !== null)
        outcome = await followTurn(this.#context, { conversationId, turnId, afterSeq });
    } catch (error) {
      outcome = failedTurn(error);
    }
    if (outcome !== undefined) await this.#settle(sent, outcome);
  }

  async #send(wake: StoredWake): Promise<StoredWake> {
    const { storage, conversations, conversation, model, profile, tools } = this.#context;
    const turn = await sendMessage(conversations.get(), {
      request: { input: wake.text },
      idempotencyKey: `heartbeat ${wake.id}`,
      conversationId: wake.conversationId ?? (await conversationNow(this.#context)),
      isReplaceable: isMade(conversation),
      newConversation: {
        request: {
          title: "Heartbeat",
          ...(model === undefined ? {} : { model }),
          ...(profile === undefined ? {} : { profile }),
          ...(tools === undefined ? {} : { allowedTools: [...tools, respondToolName] }),
        },
        // Stored in the commit that creates the conversation, so that a resumed wake creates no other.
        join: (id) =>
          storage.batch(
            [],
            [
              ...ownWrites(this.#context, id),
              { kind: "set", key: keys.wake(wake.id), value: { ...wake, conversationId: id } },
            ],
          ),
      },
    });
    const sent: StoredWake = { ...wake, ...turn };
    await storage.set(keys.wake(wake.id), sent);
    return sent;
  }

  async #settle(wake: StoredWake, ended: TurnOutcome): Promise<void> {
    const { storage, clock, spending, unattended, conversations, profile } = this.#context;
    const beat = await this.#beat.read();
    const { reply } = ended;
    const responseKey = keys.response(wake.id);
    const response = await storage.get(responseKey, storedResponseSchema);
    const { outcome, error } = replyOutcome(ended, response?.notify);
    if (outcome === "quiet") await this.#putAway(wake);
    const { lastAlertId: beforeId } = beat.value;
    const before = beforeId === null ? undefined : await storage.get(keys.wake(beforeId), storedWakeSchema);
    const repeated = outcome === "alert" && before?.reply === reply;
    // Before the commit, so that a repeated commit does not notify twice.
    const spent = await this.#spentBy(wake, ended);
    const said = replyWithNote(ended);
    const text = repeated ? `The same again: ${said}` : said;
    const notTold =
      outcome === "alert" ? await notifyPerson(this.#context, { text, key: `heartbeat ${wake.id}` }) : undefined;
    const settled = {
      ...wake,
      outcome,
      error: error ?? notTold ?? null,
      reply,
      repeated,
      ...spent,
      endedMs: clock.now(),
    };
    const lastAlertId = outcome === "alert" ? wake.id : beforeId;
    const counted = await spending.count(spent);
    const { conversationId } = wake;
    const agent = await budgetedAgent(conversations.get(), { conversationId, profile });
    const all = await unattended.current?.count({ ...spent, schedules: [], agent });
    const outdated = await this.#outdated(lastAlertId);
    const set = { kind: "set", key: keys.wake(wake.id), value: settled } as const;
    const forget = { kind: "delete", key: responseKey } as const;
    const writes = [set, ...(response === undefined ? [] : [forget]), ...counted.writes, ...outdated];
    await this.#beat.end(beat, {
      lastAlertId,
      checks: counted.checks,
      writes,
      join: all === undefined ? [] : [all],
    });
  }

  async #spentBy({ conversationId, turnId }: StoredWake, { tokens }: TurnOutcome): Promise<Spent> {
    const { records, log, maxUsdPerDay } = this.#context;
    if (conversationId === null || turnId === null) return { ...nothingSpent, tokens };
    const spent = await spentByTurn(records, { conversationId, turnId, tokens });
    if (spent.unpriced > 0 && maxUsdPerDay !== undefined)
      log.warn(
        "The heartbeat has made calls of which no price is known: heartbeat.max_usd_per_day does not see them, max_tokens_per_day does",
        { turnId, calls: spent.unpriced },
      );
    return spent;
  }

  /** Archives a `fresh` conversation that reported nothing. */
  async #putAway({ conversationId }: StoredWake): Promise<void> {
    const { conversation, conversations } = this.#context;
    if (conversation !== "fresh" || conversationId === null) return;
    try {
      await conversations.get().update(conversationId, { archived: true });
    } catch (error) {
      if (codeOf(error) !== "CONVERSATION_UNKNOWN") throw error; // The user deleted it.
    }
  }

  async #outdated(lastAlertId: string | null): Promise<readonly StorageWrite[]> {
    const kept = await this.#context.storage.list({ prefix: keys.wakes, limit: keptWakes * 2 }, storedWakeSchema);
    return kept
      .slice(0, Math.max(0, kept.length - keptWakes))
      .flatMap(({ key, value }) => (value.id === lastAlertId ? [] : [{ kind: "delete", key } as const]));
  }
}
