import type { Channel } from "@incipit/service-contract";
import { channelsPoint } from "@incipit/service-contract";
import { FakeClock, RecordingBotServer, startExtension, TestInbox, type StartedExtension } from "@incipit/testkit";
import extension from "../extension.ts";

export interface TelegramWorld extends AsyncDisposable {
  readonly server: RecordingBotServer;
  readonly channel: Channel;
  readonly inbox: TestInbox;
  readonly clock: FakeClock;
  readonly started: StartedExtension;
  readonly signal: AbortSignal;
  pass(ms: number): Promise<void>;
  advanceUntil(condition: () => boolean): Promise<void>;
  stop(): Promise<void>;
}

export interface TelegramWorldOptions {
  readonly server?: RecordingBotServer;
  readonly config?: Readonly<Record<string, string | boolean | readonly string[]>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly held?: string;
  readonly isReceiving?: boolean;
}

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
      if (options.held !== undefined && url.endsWith(options.held)) return fetch(url, init);
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
  // Real sockets do not follow the fake clock, which must not overtake them.
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
