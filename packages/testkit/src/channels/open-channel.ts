import { FakeClock, type Extension, type StorageDriver } from "@incipit/kernel";
import { channelsPoint, type Channel } from "@incipit/service-contract";
import { startExtension, type StartedExtension } from "../worlds/extension-host.ts";
import { TestInbox } from "./test-inbox.ts";

export interface ChannelServer extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  /** Ends held requests. */
  release(): void;
}

export interface ChannelSetup<Server extends ChannelServer> {
  readonly extension: Extension;
  /** Key in the section `channels` of the configuration. */
  readonly name: string;
  readonly tokenVariable: string;
  createServer(clock: FakeClock): Server;
}

export interface OpenChannelOptions<Server extends ChannelServer> {
  /** Closed by the caller. A new one by default. */
  readonly server?: Server;
  readonly clock?: FakeClock;
  /** To test a restart. */
  readonly storage?: StorageDriver;
  readonly config?: Readonly<Record<string, string | boolean | readonly string[]>>;
  /** The server's token by default. */
  readonly env?: Readonly<Record<string, string>>;
  /** End of the URLs whose requests the server holds: `pass` does not wait for them. */
  readonly held?: string;
  /** Runs the channel; `true` by default. */
  readonly isReceiving?: boolean;
}

export interface OpenedChannel<Server extends ChannelServer> extends AsyncDisposable {
  readonly server: Server;
  readonly channel: Channel;
  readonly inbox: TestInbox;
  readonly clock: FakeClock;
  readonly started: StartedExtension;
  readonly signal: AbortSignal;
  /** Advances the clock, unless a request is in flight. */
  pass(ms: number): Promise<void>;
  advanceUntil(condition: () => boolean): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the extension of a channel against a fake server of its service. */
export async function openChannel<Server extends ChannelServer>(
  setup: ChannelSetup<Server>,
  options: OpenChannelOptions<Server> = {},
): Promise<OpenedChannel<Server>> {
  const { clock = new FakeClock(), held, storage } = options;
  const { server = setup.createServer(clock) } = options;
  let open = 0;
  const started = await startExtension(setup.extension, {
    clock,
    config: { channels: { [setup.name]: { enabled: true, api_root: server.url, ...options.config } } },
    env: options.env ?? { [setup.tokenVariable]: server.token },
    ...(storage === undefined ? {} : { storage }),
    async net(url, init) {
      if (held !== undefined && url.endsWith(held)) return fetch(url, init);
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
