import { errorMessage, waitUnlessAborted, type StorageWrite } from "@incipit/kernel";
import type { ApprovalId } from "@incipit/schema";
import { codeOf, type ChannelDelivery, type ChannelMessage } from "@incipit/service-contract";
import { approvalPart } from "./approval-part.ts";
import type { ChannelContext } from "./chats-context.ts";
import { ChatWorkers } from "./chat-workers.ts";
import { keys } from "./keys.ts";
import { noteWrite } from "./note.ts";
import { pruneMessages, pruneSeen } from "./prune.ts";
import {
  storedAskSchema,
  storedMessageSchema,
  storedNothingSchema,
  type StoredAsk,
  type StoredContent,
  type StoredMessage,
} from "./stored.ts";
import { ageBefore, oneLineOf, textContents } from "./texts.ts";

/** Messages are not sent after this time: outdated ones would only interrupt a conversation. */
const maxAgeMs = 24 * 3_600_000;
const sendTimeoutMs = 120_000;
const endTimeoutMs = 2_000;
/** Minimum delay of a retry, which doubles with each one, up to `longest`. */
const leastLaterMs = { first: 100, longest: 60_000 } as const;
/** Outcome of a message that was left in the state `sending` by a host that has ended. */
const cutOff: ChannelDelivery = { kind: "unknown", why: "The host stopped before the service answered" };
/** Bounds each wait, so that a changed system clock or a suspended machine delays a message by this time at most. */
const longestWaitMs = 30_000;
const pruneEvery = 100;
const maxPathLength = 300;

/**
 * Sends messages in order within a chat. A message is stored as `sending` before the service gets it: after a crash its
 * outcome is `unknown`, and it is not resent automatically.
 */
export class Outbox {
  readonly #context: ChannelContext;
  readonly #workers: ChatWorkers;
  readonly #deliveries = new Map<string, ChannelDelivery>();
  /** Messages since the last pruning. Begins so that the first one prunes, since a host may end before `pruneEvery`. */
  #settled = pruneEvery - 1;

  constructor(context: ChannelContext) {
    this.#context = context;
    this.#workers = new ChatWorkers(context, {
      what: "Cannot send messages to a chat; retrying",
      next: (chatId) => this.#next(chatId),
    });
  }

  resume(): Promise<void> {
    return this.#workers.resume(keys.allPending(this.#context.channel.id));
  }

  wake(chatId: string): void {
    this.#workers.wake(chatId);
  }

  /** Resolves once the outcomes of sends in flight are stored, or the sends have timed out. Never rejects. */
  ended(): Promise<void> {
    return this.#workers.ended();
  }

  /** Creates messages, and the writes that queue them: the caller commits these, then calls `wake`. */
  prepare(
    chatId: string,
    contents: readonly StoredContent[],
  ): { readonly messages: readonly StoredMessage[]; readonly writes: readonly StorageWrite[] } {
    const { channel, clock, nextNumber } = this.#context;
    const nowMs = clock.now();
    const messages = contents.map((content): StoredMessage => ({
      id: nextNumber(),
      chatId,
      content,
      state: "waiting",
      why: null,
      createdMs: nowMs,
      endedMs: null,
      attempts: 0,
      notBeforeMs: nowMs,
      waitsSinceMs: nowMs,
      retriedAs: null,
    }));
    const writes = messages.flatMap((message): readonly StorageWrite[] => [
      { kind: "set", key: keys.message(channel.id, message.id), value: message },
      { kind: "set", key: keys.pending(channel.id, chatId, message.id), value: {} },
    ]);
    return { messages, writes };
  }

  async #next(chatId: string): Promise<boolean> {
    const { storage, channel, clock, signal } = this.#context;
    const [entry] = await storage.list(
      { prefix: keys.pendingIn(channel.id, chatId), limit: 1 },
      storedNothingSchema,
    );
    if (entry === undefined) return false;
    const message = await storage.get(keys.message(channel.id, keys.last(entry.key)), storedMessageSchema);
    if (message === undefined) await storage.delete(entry.key);
    else if (message.state === "sending") await this.#take(message, this.#deliveries.get(message.id) ?? cutOff);
    else if (message.notBeforeMs > clock.now() && message.waitsSinceMs <= clock.now())
      await waitUnlessAborted(Math.min(message.notBeforeMs - clock.now(), longestWaitMs), clock, signal);
    else if (clock.now() - message.createdMs > maxAgeMs)
      await this.#settle(message, "failed", `Sending failed for a day${because(message.why)}`);
    else await this.#deliver(message);
    if (this.#settled >= pruneEvery) await this.#prune();
    return true;
  }

  async #prune(): Promise<void> {
    this.#settled = 0; // Before awaiting: other chats run concurrently.
    const { storage, channel, clock } = this.#context;
    await pruneMessages(storage, channel.id);
    await pruneSeen(storage, channel.id, clock.now());
  }

  async #deliver(message: StoredMessage): Promise<void> {
    const { storage, channel, signal } = this.#context;
    const content = await this.#content(message);
    if (typeof content === "string") {
      // The file could be sent when the reply was split, so its loss has to be reported.
      await this.#settle(message, "failed", content, this.#refusal(message, content));
      return;
    }
    if (signal.aborted) return;
    const sending: StoredMessage = { ...message, state: "sending", attempts: message.attempts + 1 };
    await storage.set(keys.message(channel.id, message.id), sending);
    const delivery = await this.#send(message.chatId, content);
    if (delivery === undefined) return; // Left as `sending` for the next start.
    this.#deliveries.set(message.id, delivery);
    await this.#take(sending, delivery);
  }

  async #take(message: StoredMessage, delivery: ChannelDelivery): Promise<void> {
    const { storage, channel, clock } = this.#context;
    if (delivery.kind === "later") {
      const waitsSinceMs = clock.now();
      const leastMs = Math.min(leastLaterMs.first * 2 ** (message.attempts - 1), leastLaterMs.longest);
      const notBeforeMs = waitsSinceMs + Math.min(Math.max(delivery.afterMs, leastMs), maxAgeMs);
      const waiting: StoredMessage = { ...message, state: "waiting", why: delivery.why, notBeforeMs, waitsSinceMs };
      await storage.set(keys.message(channel.id, message.id), waiting);
    } else if (delivery.kind === "failed")
      await this.#settle(message, "failed", delivery.why, this.#refusal(message, delivery.why));
    else await this.#settle(message, delivery.kind, delivery.kind === "sent" ? null : delivery.why);
    this.#deliveries.delete(message.id);
  }

  /** Sends a message; returns `undefined` when the activation ends first. Never rejects. */
  async #send(chatId: string, content: ChannelMessage): Promise<ChannelDelivery | undefined> {
    const { channel, clock, signal } = this.#context;
    const late = new AbortController();
    const stopAfter = (waitMs: number): (() => void) => clock.setTimer(() => late.abort(), waitMs);
    let cancel = stopAfter(sendTimeoutMs);
    const hurry = (): void => {
      cancel();
      cancel = stopAfter(endTimeoutMs);
    };
    if (signal.aborted) hurry();
    else signal.addEventListener("abort", hurry);
    try {
      return await rejectOnAbort(channel.send(chatId, content, late.signal), late.signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      const why = late.signal.aborted ? "The service did not answer within two minutes" : errorMessage(error);
      return { kind: "unknown", why };
    } finally {
      cancel();
      signal.removeEventListener("abort", hurry);
    }
  }

  async #content({ chatId, content, createdMs }: StoredMessage): Promise<ChannelMessage | string> {
    const { channel, clock, media, signal } = this.#context;
    if (content.kind === "text") {
      const age = content.hasRoom ? ageBefore(clock.now() - createdMs) : "";
      const { approvalId } = content;
      const { text, buttons } =
        approvalId === null ? content : approvalPart(content, await this.#ask(chatId, approvalId));
      return {
        kind: "text",
        text: `${age}${text}`,
        buttons,
        replyTo: content.replyTo ?? undefined,
      };
    }
    const { conversationId, path, name, mediaType } = content;
    try {
      const file = await media.get().read(conversationId, path, { maxFileBytes: channel.maxFileBytes.out, signal });
      return file.kind === "refused" ? file.why : { kind: "file", name, mediaType, bytes: file.bytes };
    } catch (error) {
      if (codeOf(error) === "CONVERSATION_UNKNOWN") return "Its conversation was deleted";
      throw error;
    }
  }

  #ask(chatId: string, approvalId: ApprovalId): Promise<StoredAsk | undefined> {
    const { storage, channel } = this.#context;
    return storage.get(keys.ask(channel.id, chatId, approvalId), storedAskSchema);
  }

  /** Lets users only deny an approval request, not allow it, if the chat did not receive all of its text. */
  async #onlyDeny({ chatId, content }: StoredMessage): Promise<readonly StorageWrite[]> {
    // The last part has the buttons; pressing one proves that the user saw it.
    if (content.kind !== "text" || content.approvalId === null || content.buttons.length > 0) return [];
    const ask = await this.#ask(chatId, content.approvalId);
    if (ask === undefined) return [];
    const value: StoredAsk = { ...ask, offers: ["deny"] };
    return [{ kind: "set", key: keys.ask(this.#context.channel.id, chatId, content.approvalId), value }];
  }

  #refusal({ chatId, content }: StoredMessage, why: string): readonly StorageWrite[] {
    if (content.kind !== "file") return [];
    const { conversationId, path } = content;
    const line = `MEDIA:${oneLineOf(path, maxPathLength)}`;
    const text = `[MEDIA] Not sent with an earlier reply: ${JSON.stringify(line)} (${why})`;
    const note = noteWrite(this.#context, { chatId, conversationId, text });
    const contents = textContents(this.#context.channel, `${line}\n(Not sent: ${why})`);
    return [note, ...this.prepare(chatId, contents).writes];
  }

  async #settle(
    message: StoredMessage,
    state: StoredMessage["state"],
    why: string | null,
    writes: readonly StorageWrite[] = [],
  ): Promise<void> {
    const { storage, channel, clock, log } = this.#context;
    const { id, chatId } = message;
    const settled: StoredMessage = { ...message, state, why, endedMs: clock.now() };
    const denied = state === "sent" ? [] : await this.#onlyDeny(message);
    await storage.atomic(
      [],
      [
        { kind: "set", key: keys.message(channel.id, id), value: settled },
        { kind: "delete", key: keys.pending(channel.id, chatId, id) },
        ...(state === "unknown" || state === "failed"
          ? [{ kind: "set", key: keys[state](channel.id, id), value: {} } as const]
          : []),
        ...denied,
        ...writes,
      ],
    );
    if (state !== "sent") log.warn("Failed to send a message", { channel: channel.id, id, state, why: why ?? "" });
    this.#settled += 1;
  }
}

function because(why: string | null): string {
  return why === null ? "" : `: ${why}`;
}

/** Rejects when the signal aborts, even if `work` ignores it. */
async function rejectOnAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const end = (): void => aborted.reject(new Error("It was stopped"));
  if (signal.aborted) end();
  signal.addEventListener("abort", end);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", end);
    work.catch(() => undefined); // The caller already has its answer.
  }
}
