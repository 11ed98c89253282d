import cron from "@incipit/cron";
import heartbeat from "@incipit/heartbeat";
import type { Extension, JsonValue, StorageDriver } from "@incipit/kernel";
import type { ModelPrices, ScheduleRun } from "@incipit/schema";
import {
  conversationsHandle,
  heartbeatHandle,
  schedulesHandle,
  unattendedHandle,
  type Profile,
  type ConversationsService,
  type HeartbeatService,
  type Schedules,
  type UnattendedService,
} from "@incipit/service-contract";
import sessionOrchestrator from "@incipit/session-orchestrator";
import { createMemoryStorage, FakeClock, startExtension, type StartedExtension } from "@incipit/testkit";
import { answeringModel, type Answer } from "./answering-model.ts";
import { advanceUntilIdle } from "./advance-until-idle.ts";
import { heartbeatBegun, isHeartbeatAtRest } from "./heartbeat-rest.ts";
import { saidIn } from "./user-messages.ts";

export interface CronWorldOptions {
  readonly cron?: Readonly<Record<string, JsonValue>>;
  readonly storage?: StorageDriver;
  readonly clock?: FakeClock;
  readonly killed?: Promise<void>;
  readonly answer?: Answer;
  readonly prices?: ModelPrices;
  readonly config?: Readonly<Record<string, JsonValue>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly profiles?: readonly Profile[];
  readonly extensions?: readonly Extension[];
}

export class CronWorld implements AsyncDisposable {
  readonly clock: FakeClock;
  readonly storage: StorageDriver;
  readonly asked: string[] = [];
  readonly #started: StartedExtension;
  readonly #killed: Promise<void> | undefined;
  readonly #hasHeartbeat: boolean;

  private constructor(
    started: StartedExtension,
    storage: StorageDriver,
    {
      asked,
      killed,
      hasHeartbeat,
    }: {
      readonly asked: string[];
      readonly killed?: Promise<void> | undefined;
      readonly hasHeartbeat: boolean;
    },
  ) {
    this.#started = started;
    this.#killed = killed;
    this.#hasHeartbeat = hasHeartbeat;
    this.clock = started.clock;
    this.storage = storage;
    this.asked = asked;
  }

  static async start(options: CronWorldOptions = {}): Promise<CronWorld> {
    const { storage = createMemoryStorage(), clock = new FakeClock() } = options;
    const asked: string[] = [];
    const others = new Map(Object.entries(options.config ?? {}));
    const started = await startExtension(
      [
        cron,
        sessionOrchestrator,
        answeringModel(asked, options.answer, options.prices),
        ...(options.extensions ?? []),
      ],
      {
        // Days are counted in the machine's time zone unless one is configured.
        drivers: {
          config: (id) =>
            id === "cron" ? { cron: { time_zone: "UTC", ...options.cron } } : (others.get(id) ?? {}),
        },
        storage,
        clock,
        defaults: { model: "test/model", profiles: options.profiles ?? [] },
        ...(options.files === undefined ? {} : { files: options.files }),
      },
    );
    const hasHeartbeat = options.extensions?.includes(heartbeat) === true;
    if (hasHeartbeat) await heartbeatBegun(started.service(heartbeatHandle));
    return new CronWorld(started, storage, { asked, killed: options.killed, hasHeartbeat });
  }

  get schedules(): Schedules {
    return this.#started.service(schedulesHandle);
  }

  get conversations(): ConversationsService {
    return this.#started.service(conversationsHandle);
  }

  get unattended(): UnattendedService {
    return this.#started.service(unattendedHandle);
  }

  get heartbeat(): HeartbeatService {
    return this.#started.service(heartbeatHandle);
  }

  get logs(): string {
    return this.#started.logs.map(({ level, message }) => `${level} ${message}`).join("\n");
  }

  said(conversationId?: string): Promise<readonly string[]> {
    return saidIn(this.#started, conversationId);
  }

  async minutes(count: number): Promise<void> {
    for (let left = count; left > 0; left -= 5) {
      await this.clock.advance(Math.min(left, 5) * 60_000);
      await this.rest();
    }
  }

  async rest(): Promise<void> {
    const isIdle = async (): Promise<boolean> => {
      const [due] = await this.storage.list("cron/schedules", { prefix: "due/", limit: 1 });
      const isDue = due !== undefined && Number(due.key.slice(4, 19)) <= this.clock.now();
      const open = await this.storage.list("cron/schedules", { prefix: "open/", limit: 1 });
      if (isDue || open.length > 0) return false;
      return !this.#hasHeartbeat || isHeartbeatAtRest(this.heartbeat, this.clock.now());
    };
    await advanceUntilIdle(this.clock, { isAtRest: isIdle, killed: this.#killed });
  }

  async runs(id: string): Promise<readonly ScheduleRun[]> {
    return (await this.schedules.runs(id, { limit: 1_000 })).items;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#started[Symbol.asyncDispose]();
  }
}
