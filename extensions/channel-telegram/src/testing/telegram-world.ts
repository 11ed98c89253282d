import type { Channel, ChannelInbox, ChannelUpdate } from "@incipit/service-contract";
import { channelsPoint } from "@incipit/service-contract";
import { FakeClock, RecordingBotServer, startExtension, type StartedExtension } from "@incipit/testkit";
import extension from "../extension.ts";

type Report = Parameters<ChannelInbox["report"]>[0];

/** An inbox that keeps what it is given, and may refuse it. */
class TestInbox implements ChannelInbox {
  readonly updates: ChannelUpdate[] = [];
  readonly reports: Report[] = [];
  /** What becomes of an update; what it throws is not kept. */
  take: (update: ChannelUpdate) => Promise<{ readonly answer?: string }> = async () => ({});
  readonly #waiting = new Set<() => void>();

  async receive(update: ChannelUpdate): Promise<{ readonly answer?: string }> {
    try {
      const taken = await this.take(update);
      this.updates.push(update);
      return taken;
    } finally {
      this.#notify();
    }
  }

  report(state: Report): void {
    this.reports.push(state);
    this.#notify();
  }

  /** The texts that came, commands and presses with what they say. */
  get texts(): readonly string[] {
    return this.updates.map((update) => {
      switch (update.kind) {
        case "message":
        case "edit":
          return update.text;
        case "command":
          return `/${update.name} ${update.argument}`.trim();
        case "press":
          return update.button;
      }
    });
  }

  async waitFor(condition: (inbox: TestInbox) => boolean): Promise<void> {
    while (!condition(this)) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #notify(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

export interface TelegramWorld extends AsyncDisposable {
  readonly server: RecordingBotServer;
  readonly channel: Channel;
  readonly inbox: TestInbox;
  readonly clock: FakeClock;
  readonly started: StartedExtension;
  readonly signal: AbortSignal;
  /** Moves the clock, unless an answer is on its way. */
  pass(ms: number): Promise<void>;
  /** Moves the clock a second at a time until it holds: for what waits before it tries again. */
  advanceUntil(condition: () => boolean): Promise<void>;
  /** Ends what receives. */
  stop(): Promise<void>;
}

export interface TelegramWorldOptions {
  readonly server?: RecordingBotServer;
  readonly config?: Readonly<Record<string, string | boolean | readonly string[]>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Absent: it receives. */
  readonly isReceiving?: boolean;
}

/** The extension, over the real client, against a recording Bot API. */
export async function openTelegram(options: TelegramWorldOptions = {}): Promise<TelegramWorld> {
  const server = options.server ?? new RecordingBotServer({ isStrict: true });
  const clock = new FakeClock();
  let open = 0;
  const config = { channels: { telegram: { enabled: true, api_root: server.url, ...options.config } } };
  const started = await startExtension(extension, {
    clock,
    config,
    env: options.env ?? { TELEGRAM_BOT_TOKEN: server.token },
    async net(url, init) {
      open += 1;
      try {
        return await fetch(url, init);
      } finally {
        open -= 1;
      }
    },
  });
  const channel = started.contribution(channelsPoint);
  const inbox = new TestInbox();
  const stopped = new AbortController();
  const running = options.isReceiving === false ? Promise.resolve() : channel.run(inbox, stopped.signal);
  // Real sockets answer beside the clock of the test, which must not overtake them.
  const pass = async (ms: number): Promise<void> => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (open === 0) await clock.advance(ms);
  };
  const stop = async (): Promise<void> => {
    stopped.abort();
    server.release();
    await running;
  };
  return {
    server,
    channel,
    inbox,
    clock,
    started,
    signal: stopped.signal,
    stop,
    pass,
    async advanceUntil(condition) {
      while (!condition()) await pass(1_000);
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await started[Symbol.asyncDispose]();
      if (options.server === undefined) await server[Symbol.asyncDispose]();
    },
  };
}
