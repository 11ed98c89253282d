import { errorMessage, LinkedSignal, waitUnlessAborted } from "@incipit/kernel";
import type { ChannelView, ConversationId } from "@incipit/schema";
import { ServiceError, type Channel } from "@incipit/service-contract";
import type { ChannelContext, ChatsContext } from "./chats-context.ts";
import { Inbox } from "./inbox.ts";
import { Moves } from "./moves.ts";
import { keys, numberText } from "./keys.ts";
import { Outbox } from "./outbox.ts";
import { People } from "./people.ts";
import { ApprovalRequests } from "./approval-requests.ts";
import { Replies } from "./replies.ts";
import { storedNothingSchema, type StoredMessage } from "./stored.ts";
import { UnpairedSenders } from "./unpaired-senders.ts";
import { oneLineOf } from "./texts.ts";

const retryMs = 1_000;
const longestRetryMs = 60_000;

export type DeskState = Pick<ChannelView, "state" | "why" | "since" | "account">;

export class ChannelWorker {
  readonly channel: Channel;
  readonly people: People;
  readonly outbox: Outbox;
  readonly #ready = Promise.withResolvers<boolean>();
  readonly #asked = new Set<Promise<unknown>>();
  /** Resolves with `false` when the channel was unregistered before stored state was loaded. Never rejects. */
  readonly ready: Promise<boolean>;
  readonly #context: ChannelContext;
  readonly #stop = new AbortController();
  readonly #linked: LinkedSignal;
  readonly #strangers: UnpairedSenders;
  readonly #replies: Replies;
  readonly #inbox: Inbox;
  #number = 0;
  #state: DeskState;

  constructor(context: ChatsContext, channel: Channel) {
    this.channel = channel;
    this.ready = this.#ready.promise;
    this.#linked = new LinkedSignal(context.signal, this.#stop.signal);
    const nextNumber = (): string => numberText((this.#number += 1));
    this.#context = {
      ...context,
      channel,
      moves: new Moves({ ...context, channel }),
      nextNumber,
      signal: this.#linked.signal,
    };
    this.people = new People(this.#context);
    this.outbox = new Outbox(this.#context);
    this.#strangers = new UnpairedSenders(this.#context, this.people, this.outbox);
    const questions = new ApprovalRequests(this.#context, this.outbox, (update) => this.people.mayTalk(update));
    this.#replies = new Replies(this.#context, { people: this.people, outbox: this.outbox, questions });
    this.#inbox = new Inbox(this.#context, {
      people: this.people,
      strangers: this.#strangers,
      outbox: this.outbox,
      replies: this.#replies,
      questions,
    });
    this.#state = { state: "starting", why: null, since: this.#now(), account: null };
  }

  get state(): DeskState {
    return this.#state;
  }

  async run(): Promise<void> {
    const { signal, clock, log, channel } = this.#context;
    let failures = 0;
    let isLoaded = false;
    while (!signal.aborted) {
      try {
        if (!isLoaded) await this.#load();
        isLoaded = true;
        await this.#receive();
        if (signal.aborted) break;
        this.#tell("down", "It stopped unexpectedly; restarting");
      } catch (error) {
        if (signal.aborted) break;
        log.error("A channel failed; restarting", {
          channel: channel.id,
          error: errorMessage(error),
        });
        this.#tell("down", oneLineOf(errorMessage(error), 300));
      }
      await waitUnlessAborted(Math.min(retryMs * 2 ** failures, longestRetryMs), clock, signal);
      failures = Math.min(failures + 1, 10);
    }
    this.#ready.resolve(false);
    this.#linked[Symbol.dispose]();
  }

  /**
   * Numbers cannot be assigned before stored state is loaded.
   * @throws {ServiceError} `SERVICE_UNAVAILABLE` when the channel was unregistered, and errors of `work`.
   */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    if (!(await this.ready) || this.#context.signal.aborted) throw channelOff(this.channel.id);
    return this.#noted(work);
  }

  /**
   * Also drops pending replies to the person.
   * @throws {ServiceError} `PERSON_UNKNOWN`, `PERSON_CONFIGURED`.
   */
  async removePerson(id: string): Promise<void> {
    await this.people.remove(id);
    await this.#replies.forget(id);
  }

  /** @throws {ServiceError} `CONVERSATION_UNKNOWN`, `CHAT_TOOLS_EXCEEDED`. */
  continueIn(chat: string, conversationId: ConversationId): Promise<readonly StoredMessage[]> {
    return this.#inbox.continueIn(chat, conversationId);
  }

  /** Another desk of the channel would assign the same numbers. Never rejects. */
  async ended(): Promise<void> {
    await Promise.allSettled([...this.#asked, this.outbox.ended(), this.#replies.ended()]);
  }

  async #noted<Result>(work: () => Promise<Result>): Promise<Result> {
    const asked = work();
    this.#asked.add(asked);
    try {
      return await asked;
    } finally {
      this.#asked.delete(asked);
    }
  }

  end(): void {
    this.#stop.abort();
  }

  async #receive(): Promise<void> {
    const { channel, signal } = this.#context;
    await channel.run(
      {
        receive: (update) => this.#noted(() => this.#inbox.receive(update)),
        move: (move) => this.#noted(() => this.#inbox.move(move)),
        report: (state) => {
          if (state.kind === "up") this.#tell("up", null, oneLineOf(state.account, 200));
          else this.#tell("down", oneLineOf(state.why, 300));
        },
      },
      signal,
    );
  }

  async #load(): Promise<void> {
    const { storage, channel } = this.#context;
    await storage.set(keys.channel(channel.id), { id: channel.id });
    const [newest] = await storage.list(
      { prefix: keys.messages(channel.id), limit: 1, reverse: true },
      storedNothingSchema,
    );
    this.#follow(newest?.key);
    const owed = storage.entries(keys.allOwed(channel.id), storedNothingSchema);
    for await (const { key } of owed) this.#follow(key);
    await this.#context.moves.load();
    await this.people.load();
    await this.#strangers.load();
    this.#ready.resolve(true);
    await this.outbox.resume();
    await this.#replies.resume();
  }

  #follow(key: string | undefined): void {
    if (key !== undefined) this.#number = Math.max(this.#number, Number(keys.last(key)));
  }

  #tell(state: DeskState["state"], why: string | null, account: string | null = this.#state.account): void {
    const { log, channel } = this.#context;
    if (this.#state.state === state && this.#state.why === why && this.#state.account === account) return;
    if (state === "down") log.warn("A channel is down", { channel: channel.id, why: why ?? "" });
    else log.info("A channel is up", { channel: channel.id, account: account ?? "" });
    const since = this.#state.state === state ? this.#state.since : this.#now();
    this.#state = { state, why, since, account };
  }

  #now(): string {
    return new Date(this.#context.clock.now()).toISOString();
  }
}

export function channelOff(channel: string): ServiceError {
  const message = `The channel "${channel}" is off: its extension is not loaded; configure it and restart the host`;
  return new ServiceError("SERVICE_UNAVAILABLE", message);
}
