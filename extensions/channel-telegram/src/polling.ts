import { backOffMs, channelCommands } from "@incipit/common/channels";
import { errorMessage, LinkedSignal, waitUnlessAborted, type Clock, type Log } from "@incipit/kernel";
import type { ChannelInbox, ChannelUpdate } from "@incipit/service-contract";
import { Unreadable, type BotClient, type CallFailure } from "./bot-client.ts";
import { joinedAlbum, readMove, readUpdate, type BotAccount, type ReadUpdate } from "./read-update.ts";
import { updateKinds } from "./update-schema.ts";

/** Duration of a poll, in seconds; `graceMs` is the extra time before it is aborted. */
const pollS = 50;
const graceMs = 15_000;
const callTimeoutMs = 30_000;
const busyMs = 1_000;
/** Maximum number of unconfirmed updates, beyond which Telegram returns no more. */
const windowSize = 100;
/** How long the first update of a full window, which blocks everyone else, may read its files. */
const fullWindowMs = 15_000;
/** Spans at least one poll. */
const albumQuietMs = 1_500;
const refusedMs = 300_000;
/** A conflict this long after the previous one counts as new. */
const conflictMs = 300_000;
/** https://core.telegram.org/bots/api#answercallbackquery */
const maxAnswerLength = 200;

export interface PollingOptions {
  readonly client: BotClient;
  readonly inbox: ChannelInbox;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly tokenVariable: string;
  readonly isPastDraft: (chatId: string, draftId: number) => boolean;
}

interface Raw {
  readonly id: number;
  readonly given: unknown;
}

interface Album {
  readonly parts: [ChannelUpdate, ...ChannelUpdate[]];
  readonly ids: number[];
  lastMs: number;
  readonly settled: Promise<boolean>;
}

/**
 * Delivers in order within a chat, chats concurrently. An update is confirmed once it and all earlier ones are
 * stored; unconfirmed updates are delivered again, also to the next host.
 */
export class Polling {
  readonly #options: PollingOptions;
  /** Delivered updates: unsettled, or settled behind an unsettled one. */
  readonly #known = new Map<number, "open" | "stored">();
  readonly #chats = new Map<string, Promise<boolean>>();
  readonly #albums = new Map<string, Album>();
  readonly #reads = new Map<number, AbortController>();
  /** The first update of a full window, which blocks all others. */
  #holdsUp: { readonly id: number; readonly sinceMs: number } | undefined;
  /** No chat waits for these. */
  readonly #answers = new Set<Promise<void>>();
  #offset: number | undefined;
  readonly #conflicts = { count: 0, lastMs: -Infinity };
  #shown: string | undefined;

  constructor(options: PollingOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { signal, client, log, inbox } = this.#options;
    let failures = 0;
    let account: BotAccount | undefined;
    while (!signal.aborted) {
      try {
        account ??= await this.#begin();
        const isStored = await this.#pollOnce(account);
        failures = isStored ? 0 : failures + 1;
        // Storing failed, not the service; the update will be delivered again.
        if (!isStored) await this.#wait(backOffMs(failures));
      } catch (error) {
        if (signal.aborted) break;
        const failure = client.failureOf(error);
        failures += 1;
        const down = this.#downOf(failure);
        if (down.isAccountLost) account = undefined;
        this.#show(down.why, () => {
          log.warn("Cannot fetch messages from Telegram; retrying", { reason: down.why });
          inbox.report({ kind: "down", why: down.why });
        });
        await this.#wait(down.waitMs ?? backOffMs(failures));
      }
    }
    await Promise.allSettled([...this.#chats.values(), ...this.#answers]);
  }

  async #begin(): Promise<BotAccount> {
    const { client, signal } = this.#options;
    const { id, username } = await client.within(callTimeoutMs, signal, (api) => api.getMe());
    // Polling is refused while a webhook is set. Pending updates are kept.
    await client.within(callTimeoutMs, signal, (api) => api.deleteWebhook({ drop_pending_updates: false }));
    await this.#showCommands();
    return { id, username };
  }

  async #showCommands(): Promise<void> {
    const { client, signal, log } = this.#options;
    const commands = channelCommands.map(({ name, description }) => ({ command: name, description }));
    try {
      await client.within(callTimeoutMs, signal, (api) => api.setMyCommands(commands));
    } catch (error) {
      if (signal.aborted) return;
      // Commands work without the menu.
      log.warn("Failed to set Telegram's command menu", { reason: client.failureOf(error).why });
    }
  }

  async #pollOnce(account: BotAccount): Promise<boolean> {
    const { client, signal, inbox } = this.#options;
    // Returns immediately, which confirms that the connection works.
    const timeout = this.#known.size === 0 && this.#shown === "up" ? pollS : 0;
    const offset = this.#offset === undefined ? {} : { offset: this.#offset };
    const given = await client.within(timeout * 1_000 + graceMs, signal, (api) =>
      api.getUpdates({ ...offset, timeout, limit: windowSize, allowed_updates: updateKinds }),
    );
    this.#show("up", () => inbox.report({ kind: "up", account: `@${account.username}` }));
    const received = given
      .filter(({ update_id: id }) => !this.#known.has(id))
      .map((update) => this.#receive({ id: update.update_id, given: update }, account));
    const isStored = await this.#settledOrBusy(received);
    const ids = given.map(({ update_id: id }) => id);
    this.#hurry(ids);
    this.#confirm(ids);
    return isStored;
  }

  #hurry(ids: readonly number[]): void {
    const nowMs = this.#options.clock.now();
    const first = ids.length < windowSize ? undefined : Math.min(...ids);
    if (first === undefined || this.#known.get(first) !== "open") this.#holdsUp = undefined;
    else if (this.#holdsUp?.id !== first) this.#holdsUp = { id: first, sinceMs: nowMs };
    else if (nowMs - this.#holdsUp.sinceMs >= fullWindowMs)
      this.#reads.get(first)?.abort(new Unreadable("It took too long and would have delayed other chats"));
  }

  async #settledOrBusy(received: readonly Promise<boolean>[]): Promise<boolean> {
    const { clock, signal } = this.#options;
    if (this.#known.size === 0) return true;
    const settled = new AbortController();
    const all = Promise.all(received).then((stored) => {
      if (received.length > 0) settled.abort();
      return !stored.includes(false);
    });
    using either = new LinkedSignal(signal, settled.signal);
    await waitUnlessAborted(busyMs, clock, either.signal);
    return settled.signal.aborted ? all : true;
  }

  #receive({ id, given }: Raw, account: BotAccount): Promise<boolean> {
    const { client, log } = this.#options;
    const move = readMove(given);
    if (move !== undefined) return this.#receiveMove(id, move);
    const read = readUpdate(given, {
      account,
      download: async (fileId, { maxBytes, signal }) => {
        using either = new LinkedSignal(signal, this.#reads.get(id)?.signal);
        return await client.download(fileId, { maxBytes, signal: either.signal });
      },
    });
    this.#known.set(id, "open");
    if (read === "unreadable")
      log.warn("Skipped an unreadable update from Telegram; update the host", {
        update: id,
      });
    if (read === undefined || read === "unreadable" || this.#isPast(read)) {
      this.#known.set(id, "stored");
      return Promise.resolve(true);
    }
    this.#reads.set(id, new AbortController());
    const { update, pressId, albumId } = read;
    if (albumId !== undefined) return this.#receivePart(id, update, albumId);
    return this.#inTurn(update.chat.id, async (isStored) => {
      if (!isStored) return this.#settle([id], false);
      try {
        const { answer } = await this.#options.inbox.receive(update);
        this.#settle([id], true);
        if (pressId !== undefined) this.#keepUntilEnd(this.#answer(pressId, answer));
        return true;
      } catch (error) {
        return this.#notStored([id], error);
      }
    });
  }

  /** Returns whether a stop belongs to a finished draft, and must not stop a later reply. */
  #isPast({ update, draftId }: ReadUpdate): boolean {
    return draftId !== undefined && this.#options.isPastDraft(update.chat.id, draftId);
  }

  #receiveMove(id: number, move: { readonly from: string; readonly to: string }): Promise<boolean> {
    this.#known.set(id, "open");
    return this.#inTurn(move.to, async (isStored) => {
      if (!isStored) return this.#settle([id], false);
      try {
        await this.#options.inbox.move(move);
        return this.#settle([id], true);
      } catch (error) {
        return this.#notStored([id], error);
      }
    });
  }

  #receivePart(id: number, update: ChannelUpdate, albumId: string): Promise<boolean> {
    const { clock, signal, inbox } = this.#options;
    const key = `${update.chat.id} ${albumId}`;
    const known = this.#albums.get(key);
    if (known !== undefined) {
      known.parts.push(update);
      known.ids.push(id);
      const reads = known.ids.flatMap((part) => this.#reads.get(part) ?? []).at(0);
      if (reads !== undefined) this.#reads.set(id, reads);
      known.lastMs = clock.now();
      return known.settled;
    }
    const settled = this.#inTurn(update.chat.id, async (isStored) => {
      while (isStored && !signal.aborted && clock.now() < album.lastMs + albumQuietMs)
        await waitUnlessAborted(album.lastMs + albumQuietMs - clock.now(), clock, signal);
      this.#albums.delete(key);
      if (!isStored || signal.aborted) return this.#settle(album.ids, false);
      try {
        await inbox.receive(joinedAlbum(album.parts));
        return this.#settle(album.ids, true);
      } catch (error) {
        return this.#notStored(album.ids, error);
      }
    });
    const album: Album = { parts: [update], ids: [id], lastMs: clock.now(), settled };
    this.#albums.set(key, album);
    return settled;
  }

  /** @param give Receives whether the previous update was stored; if not, later ones are delivered again, in order. */
  #inTurn(chatId: string, give: (isStored: boolean) => Promise<boolean>): Promise<boolean> {
    const before = this.#chats.get(chatId) ?? Promise.resolve(true);
    const settled = before.then(give);
    this.#chats.set(chatId, settled);
    void settled.then(() => {
      if (this.#chats.get(chatId) === settled) this.#chats.delete(chatId);
    });
    return settled;
  }

  #notStored(ids: readonly number[], error: unknown): boolean {
    this.#options.log.error("Cannot store a message from Telegram; retrying", {
      error: errorMessage(error),
    });
    return this.#settle(ids, false);
  }

  #keepUntilEnd(answer: Promise<void>): void {
    this.#answers.add(answer);
    void answer.then(() => this.#answers.delete(answer));
  }

  #settle(ids: readonly number[], isStored: boolean): boolean {
    for (const id of ids) {
      this.#reads.delete(id);
      if (isStored) this.#known.set(id, "stored");
      else this.#known.delete(id);
    }
    return isStored;
  }

  /** Marks updates as processed. The next poll confirms all below the first unprocessed one. */
  #confirm(ids: readonly number[]): void {
    // After confirming, forget the offset: Telegram may restart ids after a quiet week.
    this.#offset = undefined;
    for (const id of ids.toSorted((a, b) => a - b)) {
      if (this.#known.get(id) !== "stored") break;
      this.#known.delete(id);
      this.#offset = id + 1;
    }
  }

  async #answer(pressId: string, text: string | undefined): Promise<void> {
    const { client, signal, log } = this.#options;
    const shown = text === undefined ? {} : { text: text.slice(0, maxAnswerLength).toWellFormed() };
    try {
      await client.within(callTimeoutMs, signal, (api) => api.answerCallbackQuery(pressId, shown));
    } catch (error) {
      // The press has taken effect; only the button's spinner stays a while.
      if (!signal.aborted) log.debug("Failed to answer a button press", { reason: client.failureOf(error).why });
    }
  }

  #downOf(failure: CallFailure): {
    readonly why: string;
    readonly waitMs: number | undefined;
    readonly isAccountLost: boolean;
  } {
    const { tokenVariable: name } = this.#options;
    if (failure.kind !== "refused") return { why: failure.why, waitMs: undefined, isAccountLost: false };
    const { status, why, retryAfterMs } = failure;
    if (status === 401 || status === 404)
      return {
        why: `Telegram rejects the token in ${name}: get one from @BotFather, set the variable and restart the host`,
        waitMs: refusedMs,
        isAccountLost: true,
      };
    if (status === 409)
      return {
        why: `Another program receives this bot's messages (${why}): stop it, or use a separate bot for each`,
        waitMs: this.#conflictWaitMs(),
        // Another program set a webhook, which receives the messages; the channel deletes it.
        isAccountLost: why.includes("webhook"),
      };
    return { why: `Telegram answers ${status}: ${why}`, waitMs: retryAfterMs, isAccountLost: false };
  }

  /** One conflict is normal when a host replaces another; two running hosts back off from each other. */
  #conflictWaitMs(): number {
    const nowMs = this.#options.clock.now();
    const { count, lastMs } = this.#conflicts;
    this.#conflicts.count = nowMs - lastMs > conflictMs ? 1 : count + 1;
    this.#conflicts.lastMs = nowMs;
    return backOffMs(this.#conflicts.count);
  }

  #show(state: string, report: () => void): void {
    if (this.#shown === state) return;
    this.#shown = state;
    report();
  }

  #wait(ms: number): Promise<void> {
    return waitUnlessAborted(ms, this.#options.clock, this.#options.signal);
  }
}
