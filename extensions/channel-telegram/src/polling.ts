import { errorMessage, LinkedSignal, waitUnlessAborted, type Clock, type Log } from "@incipit/kernel";
import type { ChannelInbox, ChannelUpdate } from "@incipit/service-contract";
import { Unreadable, type BotClient, type CallFailure } from "./bot-client.ts";
import { joinedAlbum, readMove, readUpdate, type BotAccount, type ReadUpdate } from "./read-update.ts";
import { updateKinds } from "./update-schema.ts";

/** How long the service holds a question for updates, and how much later an answer is given up. */
const pollS = 50;
const graceMs = 15_000;
const callTimeoutMs = 30_000;
/** A look whether more has come, while some of what came is still being stored. */
const busyMs = 1_000;
/** As many updates come at once, and no others until the first of them is confirmed. */
const windowSize = 100;
/** So long the first of them may read its files while nobody else is heard. */
const fullWindowMs = 15_000;
/** An album is whole once no part has come for as long: at least one look falls into it. */
const albumQuietMs = 1_500;
const retryMs = { first: 1_000, longest: 60_000, refused: 300_000 } as const;
/** So long after the last one, a conflict with another program is a new one. */
const conflictMs = 300_000;
/** Longest text beside a button that was pressed: https://core.telegram.org/bots/api#answercallbackquery */
const maxAnswerLength = 200;

/** What the menu of a chat shows; what each does is the host's, and docs/guide/channels.md has them all. */
const commands = [
  { command: "new", description: "Begin a new conversation" },
  { command: "stop", description: "Stop what is being done" },
  { command: "model", description: "Show or choose the model" },
  { command: "profile", description: "Show the profiles, or begin with one" },
  { command: "prompt", description: "Show whether the instructions have changed" },
  { command: "files", description: "Show the files that the model gets, or remove one" },
  { command: "status", description: "How things are here" },
  { command: "help", description: "What is understood beside messages" },
];

export interface PollingOptions {
  readonly client: BotClient;
  readonly inbox: ChannelInbox;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** The variable that holds the token: for whoever has to put another one there. */
  readonly tokenVariable: string;
  /** Whether a draft is not the one that is being written in the chat. */
  readonly isPastDraft: (chatId: string, draftId: number) => boolean;
}

interface Raw {
  readonly id: number;
  readonly given: unknown;
}

/** Files that were sent as one, and come one after the other. */
interface Album {
  readonly parts: [ChannelUpdate, ...ChannelUpdate[]];
  readonly ids: number[];
  lastMs: number;
  /** Whether it was stored. */
  readonly settled: Promise<boolean>;
}

/**
 * Asks for updates, and gives them to the host: those of a chat one after the other, those of several chats side by side. One is
 * confirmed once it is stored, and all before it are; what was not confirmed comes again, also to the next host.
 */
export class Polling {
  readonly #options: PollingOptions;
  /** Given to the host: not settled, or settled while one before it is not. */
  readonly #known = new Map<number, "open" | "stored">();
  /** The end of what a chat was given. */
  readonly #chats = new Map<string, Promise<boolean>>();
  /** Those that may still grow, by chat and number. */
  readonly #albums = new Map<string, Album>();
  /** Ends what is read of the files of an update that is open. */
  readonly #reads = new Map<number, AbortController>();
  /** The first of a full window, and since when it keeps all others out. */
  #holdsUp: { readonly id: number; readonly sinceMs: number } | undefined;
  /** Answers to presses that are on their way: no chat waits for them. */
  readonly #answers = new Set<Promise<void>>();
  #offset: number | undefined;
  readonly #conflicts = { count: 0, lastMs: -Infinity };
  #shown: string | undefined;

  constructor(options: PollingOptions) {
    this.#options = options;
  }

  /** Resolves when the signal has aborted. */
  async run(): Promise<void> {
    const { signal, client, log, inbox } = this.#options;
    let failures = 0;
    let account: BotAccount | undefined;
    while (!signal.aborted) {
      try {
        account ??= await this.#begin();
        const isStored = await this.#pollOnce(account);
        failures = isStored ? 0 : failures + 1;
        // What could not be stored is asked for again; nothing was wrong with the service.
        if (!isStored) await this.#wait(backOffMs(failures));
      } catch (error) {
        if (signal.aborted) break;
        const failure = client.failureOf(error);
        failures += 1;
        const down = this.#downOf(failure);
        if (down.isAccountLost) account = undefined;
        this.#show(down.why, () => {
          log.warn("Telegram cannot be asked for messages; it is tried again", { reason: down.why });
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
    // With a webhook nothing could be asked for; what waits there is kept.
    await client.within(callTimeoutMs, signal, (api) => api.deleteWebhook({ drop_pending_updates: false }));
    await this.#showCommands();
    return { id, username };
  }

  async #showCommands(): Promise<void> {
    const { client, signal, log } = this.#options;
    try {
      await client.within(callTimeoutMs, signal, (api) => api.setMyCommands(commands));
    } catch (error) {
      if (signal.aborted) return;
      // They are understood all the same.
      log.warn("Telegram's menu of commands could not be set", { reason: client.failureOf(error).why });
    }
  }

  /** @returns whether all that was given could be stored. */
  async #pollOnce(account: BotAccount): Promise<boolean> {
    const { client, signal, inbox } = this.#options;
    // The first one comes back at once: it tells that all is well.
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

  /** No chat waits for long behind the files of another one: those are told as unreadable. */
  #hurry(ids: readonly number[]): void {
    const nowMs = this.#options.clock.now();
    const first = ids.length < windowSize ? undefined : Math.min(...ids);
    if (first === undefined || this.#known.get(first) !== "open") this.#holdsUp = undefined;
    else if (this.#holdsUp?.id !== first) this.#holdsUp = { id: first, sinceMs: nowMs };
    else if (nowMs - this.#holdsUp.sinceMs >= fullWindowMs)
      this.#reads.get(first)?.abort(new Unreadable("It took so long that others would have had to wait"));
  }

  /** Waits a moment for what is being stored; what takes longer is looked for the next time. */
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

  /** Resolves with whether it was stored, or needs not be. */
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
      log.warn("Telegram has sent an update that cannot be read; it is passed over: update the host", {
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

  /** A draft that was over when its button was pressed stops nothing of what came after it. */
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

  /** Gives an album once it is whole. */
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

  /** @param give Whether what came before was stored: behind what was not it would come out of its turn, and is asked for again. */
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
    this.#options.log.error("A message from Telegram could not be stored; it is asked for again", {
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

  /** Says with the next question what is stored, and all before it is. */
  #confirm(ids: readonly number[]): void {
    // What is confirmed once is over: the numbers may begin anew after a quiet week.
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
      // What was pressed is done; the button waits a while for nothing.
      if (!signal.aborted) log.debug("A press was not answered", { reason: client.failureOf(error).why });
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
        why: `Telegram does not know the token in ${name}: get one from @BotFather, put it there and start the host anew`,
        waitMs: retryMs.refused,
        isAccountLost: true,
      };
    if (status === 409)
      return {
        why: `Another program receives the messages of this bot (${why}): end it, or give each a bot of its own`,
        waitMs: this.#conflictWaitMs(),
        // Who sets a webhook takes the messages: it is taken away again.
        isAccountLost: why.includes("webhook"),
      };
    return { why: `Telegram answers ${status}: ${why}`, waitMs: retryAfterMs, isAccountLost: false };
  }

  /** One comes when a host follows another one; where two go on, each waits longer and longer for the other. */
  #conflictWaitMs(): number {
    const nowMs = this.#options.clock.now();
    const { count, lastMs } = this.#conflicts;
    this.#conflicts.count = nowMs - lastMs > conflictMs ? 1 : count + 1;
    this.#conflicts.lastMs = nowMs;
    return backOffMs(this.#conflicts.count);
  }

  /** Tells of a state once. */
  #show(state: string, report: () => void): void {
    if (this.#shown === state) return;
    this.#shown = state;
    report();
  }

  #wait(ms: number): Promise<void> {
    return waitUnlessAborted(ms, this.#options.clock, this.#options.signal);
  }
}

function backOffMs(failures: number): number {
  return Math.min(retryMs.first * 2 ** (failures - 1), retryMs.longest);
}
