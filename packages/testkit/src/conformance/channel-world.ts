import type { Channel, ChannelDelivery, ChannelInbox, ChannelUpdate } from "@incipit/service-contract";
import { within } from "../model-server/wire/within.ts";

/** Who writes where, in the service's own ids: a private chat of somebody. */
export interface ChannelWriter {
  readonly chatId: string;
  readonly senderId: string;
}

export interface TakenMessage {
  readonly chatId: string;
  /** As people see it, with its marks or without them; `undefined`: a file. */
  readonly text: string | undefined;
  readonly bytes?: Uint8Array;
}

/** What a service does with the next message, in place of taking it. */
export type ChannelMishap = "later" | "failed" | "unknown";

/** A service as a test can have it, such as a server that speaks its wire format. It outlives the hosts that connect to it. */
export interface ChannelService {
  /** The channel as a host that starts gets it; another one after each restart. */
  readonly connect: () => Channel | Promise<Channel>;
  /** Two people, each in a chat of their own. */
  readonly writers: readonly [ChannelWriter, ChannelWriter];
  /** Somebody writes. */
  readonly say: (text: string, from: ChannelWriter) => void;
  /** They change what they wrote last. Absent: the service has no edits; the same for the next ones. */
  readonly edit?: (text: string, from: ChannelWriter) => void;
  readonly press?: (button: string, from: ChannelWriter) => void;
  readonly sendFile?: (bytes: Uint8Array<ArrayBuffer>, from: ChannelWriter) => void;
  /** What it has taken from the host, oldest first. */
  readonly taken: () => readonly TakenMessage[];
  /** How often a message has reached it, whatever it did with it; what was stopped before does not count. */
  readonly attempts: () => number;
  readonly mishap: (kind: ChannelMishap) => void;
  /** Lets time pass, where the channel's clock is not the real one. */
  readonly advance?: (ms: number) => Promise<void>;
}

/** A channel that runs, with an inbox that a test looks at. */
export class ChannelRun {
  readonly channel: Channel;
  /** What was given, each time that it was. */
  readonly given: ChannelUpdate[] = [];
  readonly reports: Parameters<ChannelInbox["report"]>[0][] = [];
  /** What becomes of an update; taken when nobody says otherwise. */
  take: (update: ChannelUpdate) => Promise<{ readonly answer?: string }> = async () => ({});
  readonly ended: Promise<void>;
  readonly #stop = new AbortController();

  constructor(channel: Channel) {
    this.channel = channel;
    const inbox: ChannelInbox = {
      receive: (update) => {
        this.given.push(update);
        return this.take(update);
      },
      move: async () => undefined,
      report: (state) => void this.reports.push(state),
    };
    this.ended = channel.run(inbox, this.#stop.signal);
    this.ended.catch(() => undefined); // Whoever waits for its end is told.
  }

  get texts(): readonly string[] {
    return this.given.flatMap((update) => (update.kind === "message" ? [update.text] : []));
  }

  stop(): void {
    this.#stop.abort();
  }
}

export interface ChannelWorldOptions {
  readonly service: ChannelService;
  readonly deadlineMs: number;
}

/** What the promises of channels are asked of. */
export class ChannelWorld {
  readonly service: ChannelService;
  readonly deadlineMs: number;
  readonly #runs: ChannelRun[] = [];

  constructor({ service, deadlineMs }: ChannelWorldOptions) {
    this.service = service;
    this.deadlineMs = deadlineMs;
  }

  async connect(): Promise<Channel> {
    return this.service.connect();
  }

  async run(): Promise<ChannelRun> {
    const run = new ChannelRun(await this.connect());
    this.#runs.push(run);
    return run;
  }

  /** Resolves once it is so; time passes until then. */
  async until(what: string, isSo: () => boolean): Promise<void> {
    await this.inTime(
      what,
      (async () => {
        while (!isSo()) await this.#pass();
      })(),
    );
  }

  async inTime<Result>(what: string, work: Promise<Result>): Promise<Result> {
    let isOver = false;
    const settled = work.finally(() => (isOver = true));
    settled.catch(() => undefined);
    const passing = (async () => {
      while (!isOver) await this.#pass();
    })();
    try {
      return await within(settled, { what, deadlineMs: this.deadlineMs });
    } finally {
      isOver = true;
      await passing;
    }
  }

  send(channel: Channel, chatId: string, text: string): Promise<ChannelDelivery> {
    const { signal } = new AbortController();
    const message = { kind: "text", text, buttons: [], replyTo: undefined } as const;
    return this.inTime("send to end", channel.send(chatId, message, signal));
  }

  async end(): Promise<void> {
    for (const run of this.#runs) run.stop();
    for (const { ended } of this.#runs) await this.inTime("run to end", ended);
  }

  async #pass(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    await this.service.advance?.(100);
  }
}
