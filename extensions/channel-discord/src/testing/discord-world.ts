import { channelsPoint, type Channel } from "@incipit/service-contract";
import {
  createMemoryStorage,
  FakeClock,
  RecordingDiscordServer,
  startExtension,
  TestInbox,
  type StartedExtension,
} from "@incipit/testkit";
import extension from "../extension.ts";

type Storage = ReturnType<typeof createMemoryStorage>;

export interface DiscordWorld extends AsyncDisposable {
  readonly server: RecordingDiscordServer;
  readonly channel: Channel;
  readonly inbox: TestInbox;
  readonly clock: FakeClock;
  readonly started: StartedExtension;
  readonly signal: AbortSignal;
  readonly storage: Storage;
  pass(ms: number): Promise<void>;
  advanceUntil(condition: () => boolean): Promise<void>;
  stop(): Promise<void>;
}

export interface DiscordWorldOptions {
  readonly server?: RecordingDiscordServer;
  readonly clock?: FakeClock;
  readonly storage?: Storage;
  readonly config?: Readonly<Record<string, string | boolean | readonly string[]>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly isReceiving?: boolean;
}

export function discordAt(clock: FakeClock): RecordingDiscordServer {
  return new RecordingDiscordServer({ isStrict: true, now: () => clock.now() });
}

export async function openDiscord(options: DiscordWorldOptions = {}): Promise<DiscordWorld> {
  const { clock = new FakeClock(), storage = createMemoryStorage() } = options;
  const server = options.server ?? discordAt(clock);
  let open = 0;
  const config = { channels: { discord: { enabled: true, api_root: server.url, ...options.config } } };
  const started = await startExtension(extension, {
    clock,
    storage,
    config,
    env: options.env ?? { DISCORD_BOT_TOKEN: server.token },
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
    storage,
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
