import chats from "@incipit/messaging";
import type { Extension, StorageDriver } from "@incipit/kernel";
import type { ChannelMessageView } from "@incipit/schema";
import {
  chatsHandle,
  conversationsHandle,
  type Chats,
  type ConversationsService,
  type HostDefaults,
} from "@incipit/service-contract";
import sessionOrchestrator from "@incipit/session-orchestrator";
import {
  answeringModel,
  type Answer,
  advanceUntilIdle,
  saidIn,
  createMemoryStorage,
  FakeClock,
  startExtension,
  TestService,
  type LogEntry,
  type StartedExtension,
} from "@incipit/testkit";

export interface ChatsWorldOptions {
  readonly service?: TestService;
  readonly storage?: StorageDriver;
  readonly clock?: FakeClock;
  /** The test's `rest` and `minutes` then never resolve. */
  readonly killed?: Promise<void>;
  readonly answer?: Answer;
  readonly defaults?: Partial<HostDefaults>;
  readonly files?: Readonly<Record<string, string>>;
  readonly extensions?: readonly Extension[];
}

export class ChatsWorld implements AsyncDisposable {
  readonly clock: FakeClock;
  readonly storage: StorageDriver;
  readonly service: TestService;
  readonly asked: string[];
  readonly started: StartedExtension;
  readonly #killed: Promise<void> | undefined;

  private constructor(
    started: StartedExtension,
    given: Pick<ChatsWorld, "storage" | "service" | "asked"> & { readonly killed?: Promise<void> | undefined },
  ) {
    this.started = started;
    this.#killed = given.killed;
    this.clock = started.clock;
    this.storage = given.storage;
    this.service = given.service;
    this.asked = given.asked;
  }

  static async start(options: ChatsWorldOptions = {}): Promise<ChatsWorld> {
    const { storage = createMemoryStorage(), clock = new FakeClock(), answer = (text) => `Re: ${text}` } = options;
    const { service = new TestService({ settings: { people: ["ada"] } }), extensions = [] } = options;
    const asked: string[] = [];
    const started = await startExtension(
      [chats, sessionOrchestrator, answeringModel(asked, answer), service.extension(), ...extensions],
      {
        storage,
        clock,
        defaults: { model: "test/model", ...options.defaults },
        ...(options.files === undefined ? {} : { files: options.files }),
      },
    );
    return new ChatsWorld(started, { storage, service, asked, killed: options.killed });
  }

  get chats(): Chats {
    return this.started.service(chatsHandle);
  }

  get conversations(): ConversationsService {
    return this.started.service(conversationsHandle);
  }

  get logs(): readonly LogEntry[] {
    return this.started.logs;
  }

  said(): Promise<readonly string[]> {
    return saidIn(this.started);
  }

  async outbox(channel = "test"): Promise<readonly ChannelMessageView[]> {
    return (await this.chats.messages(channel, { limit: 1_000 })).items.toReversed();
  }

  async outboxHas(count: number): Promise<void> {
    while ((await this.outbox()).length < count) await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /** Messages of Ada, answered one after the other. */
  async say(...texts: readonly string[]): Promise<void> {
    for (const text of texts) this.service.say(text);
    await this.rest();
  }

  /** Resolves once the press is answered. */
  async press(button: string, from: Parameters<TestService["give"]>[1] = {}): Promise<void> {
    const count = this.service.answers.length;
    this.service.give({ kind: "press", button }, from);
    await this.service.until(() => this.service.answers.length > count);
  }

  command(name: string, argument = ""): void {
    this.service.give({ kind: "command", name, argument });
  }

  async rest(): Promise<void> {
    await advanceUntilIdle(this.clock, { isAtRest: () => this.#isAtRest(), killed: this.#killed });
  }

  async #isAtRest(): Promise<boolean> {
    if (this.service.unconfirmed > 0) return false;
    for (const prefix of ["owed/", "pending/"])
      if ((await this.storage.list("chats/chats", { prefix, limit: 1 })).length > 0) return false;
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.clock.advanceUntil(this.started[Symbol.asyncDispose]());
  }
}
