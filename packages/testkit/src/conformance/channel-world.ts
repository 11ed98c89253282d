import type { Channel, ChannelDelivery, ChannelInbox, ChannelUpdate } from "@incipit/service-contract";
import { within } from "../model-server/wire/within.ts";

/** With the service's own ids. */
export interface ChannelWriter {
  readonly chatId: string;
  readonly senderId: string;
}

export interface TakenMessage {
  readonly chatId: string;
  /** As displayed, with or without formatting; `undefined` for a file. */
  readonly text: string | undefined;
  readonly bytes?: Uint8Array;
}

export type ChannelMishap = "later" | "failed" | "unknown";

/** A service for tests, such as a server that speaks its wire format. It outlives the hosts that connect. */
export interface ChannelService {
  /** New for each start of a host. */
  readonly connect: () => Channel | Promise<Channel>;
  readonly writers: readonly [ChannelWriter, ChannelWriter];
  readonly say: (text: string, from: ChannelWriter) => void;
  /** Absent when the service has no edits; likewise for the next two. */
  readonly edit?: (text: string, from: ChannelWriter) => void;
  readonly press?: (button: string, from: ChannelWriter) => void;
  readonly sendFile?: (bytes: Uint8Array<ArrayBuffer>, from: ChannelWriter) => void;
  /** Oldest first. */
  readonly taken: () => readonly TakenMessage[];
  /** Whatever the outcome. */
  readonly attempts: () => number;
  readonly mishap: (kind: ChannelMishap) => void;
  /** For a channel without the real clock. */
  readonly advance?: (ms: number) => Promise<void>;
}

export class ChannelRun {
  readonly channel: Channel;
  /** Includes repeated deliveries. */
  readonly given: ChannelUpdate[] = [];
  readonly reports: Parameters<ChannelInbox["report"]>[0][] = [];
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
    this.ended.catch(() => undefined);
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

  /** Advances the time until a condition holds. */
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
