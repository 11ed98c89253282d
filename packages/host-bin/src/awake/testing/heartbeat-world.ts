import heartbeat from "@incipit/heartbeat";
import type { Extension, JsonValue, StorageDriver } from "@incipit/kernel";
import type { ChannelMessageView, ConversationId, HeartbeatWake, ModelPrices } from "@incipit/schema";
import {
  chatsHandle,
  conversationsHandle,
  heartbeatHandle,
  unattendedHandle,
  type ConversationsService,
  type HeartbeatService,
  type UnattendedService,
} from "@incipit/service-contract";
import sessionOrchestrator from "@incipit/session-orchestrator";
import { createMemoryStorage, FakeClock, startExtension, type StartedExtension } from "@incipit/testkit";
import { answeringModel, type Answer } from "./answering-model.ts";
import { advanceUntilIdle } from "./advance-until-idle.ts";
import { heartbeatBegun, isHeartbeatAtRest } from "./heartbeat-rest.ts";
import { saidIn } from "./user-messages.ts";

export interface HeartbeatWorldOptions {
  readonly heartbeat?: Readonly<Record<string, JsonValue>>;
  readonly storage?: StorageDriver;
  readonly clock?: FakeClock;
  readonly killed?: Promise<void>;
  readonly answer?: Answer;
  readonly prices?: ModelPrices;
  readonly config?: Readonly<Record<string, JsonValue>>;
  readonly extensions?: readonly Extension[];
  readonly file?: string | null;
}

export class HeartbeatWorld implements AsyncDisposable {
  readonly clock: FakeClock;
  readonly storage: StorageDriver;
  readonly asked: readonly string[];
  readonly #started: StartedExtension;
  readonly #killed: Promise<void> | undefined;

  private constructor(
    started: StartedExtension,
    storage: StorageDriver,
    { asked, killed }: { readonly asked: readonly string[]; readonly killed?: Promise<void> | undefined },
  ) {
    this.#started = started;
    this.#killed = killed;
    this.clock = started.clock;
    this.storage = storage;
    this.asked = asked;
  }

  static async start(options: HeartbeatWorldOptions = {}): Promise<HeartbeatWorld> {
    const { storage = createMemoryStorage(), clock = new FakeClock() } = options;
    const { file = "- Look at the disk.", extensions = [] } = options;
    const asked: string[] = [];
    const others = new Map(Object.entries(options.config ?? {}));
    const started = await startExtension(
      [heartbeat, sessionOrchestrator, answeringModel(asked, options.answer, options.prices), ...extensions],
      {
        drivers: {
          config: (id) =>
            id === "heartbeat"
              ? { heartbeat: { enabled: true, time_zone: "UTC", ...options.heartbeat } }
              : (others.get(id) ?? {}),
        },
        storage,
        clock,
        defaults: { model: "test/model" },
        ...(file === null ? {} : { files: { "/work/HEARTBEAT.md": file } }),
      },
    );
    const world = new HeartbeatWorld(started, storage, { asked, killed: options.killed });
    await heartbeatBegun(world.heartbeat);
    return world;
  }

  get heartbeat(): HeartbeatService {
    return this.#started.service(heartbeatHandle);
  }

  get unattended(): UnattendedService {
    return this.#started.service(unattendedHandle);
  }

  get conversations(): ConversationsService {
    return this.#started.service(conversationsHandle);
  }

  async minutes(count: number): Promise<void> {
    for (let left = count; left > 0; left -= 10) {
      await this.clock.advance(Math.min(left, 10) * 60_000);
      await this.rest();
    }
  }

  async rest(): Promise<void> {
    const isIdle = (): Promise<boolean> => isHeartbeatAtRest(this.heartbeat, this.clock.now());
    await advanceUntilIdle(this.clock, { isAtRest: isIdle, killed: this.#killed });
  }

  said(): Promise<readonly string[]> {
    return saidIn(this.#started);
  }

  async toolResults(id: ConversationId, input: string): Promise<readonly string[]> {
    const { turnId, afterSeq } = await this.conversations.send(id, { input });
    const results: string[] = [];
    for await (const event of this.conversations.follow(id, { turnId, afterSeq }))
      if (event.type === "tool-call-end") results.push(event.output ?? event.error?.message ?? "");
    return results;
  }

  async outbox(): Promise<readonly ChannelMessageView[]> {
    return (await this.#started.service(chatsHandle).messages("test", { limit: 100 })).items;
  }

  async wakes(): Promise<readonly HeartbeatWake[]> {
    return (await this.heartbeat.wakes({ limit: 1_000 })).items.toReversed();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#started[Symbol.asyncDispose]();
  }
}
