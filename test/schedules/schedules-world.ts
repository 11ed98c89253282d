import type { Extension, JsonValue, StorageDriver } from "@incipit/kernel";
import schedules from "@incipit/schedules";
import type { ChannelMessageView, ConversationId, HeartbeatWake, ModelPrices, ScheduleRun } from "@incipit/schema";
import {
  chatsHandle,
  conversationsHandle,
  heartbeatHandle,
  schedulesHandle,
  unattendedHandle,
  type ConversationsService,
  type HeartbeatService,
  type Profile,
  type Schedules,
  type UnattendedService,
  conversationRecordsHandle,
  type ConversationRecordsService,
} from "@incipit/service-contract";
import sessionOrchestrator from "@incipit/session-orchestrator";
import {
  advanceUntilIdle,
  answeringModel,
  createMemoryStorage,
  FakeClock,
  saidIn,
  startExtension,
  type Answer,
  type StartedExtension,
} from "@incipit/testkit";

export const namespace = "schedules/schedules";

type Table = Readonly<Record<string, JsonValue>>;

export interface SchedulesWorldOptions {
  readonly cron?: Table;
  /** Absent: it is off. */
  readonly heartbeat?: Table;
  readonly unattended?: Table;
  /** `HEARTBEAT.md`; `null`: it is missing. */
  readonly file?: string | null;
  readonly storage?: StorageDriver;
  readonly clock?: FakeClock;
  readonly killed?: Promise<void>;
  readonly answer?: Answer;
  readonly prices?: ModelPrices;
  readonly profiles?: readonly Profile[];
  readonly extensions?: readonly Extension[];
}

export class SchedulesWorld implements AsyncDisposable {
  readonly clock: FakeClock;
  readonly storage: StorageDriver;
  readonly asked: readonly string[];
  readonly #started: StartedExtension;
  readonly #killed: Promise<void> | undefined;

  private constructor(
    started: StartedExtension,
    { storage, asked, killed }: Pick<SchedulesWorldOptions, "killed"> & Pick<SchedulesWorld, "storage" | "asked">,
  ) {
    this.#started = started;
    this.#killed = killed;
    this.clock = started.clock;
    this.storage = storage;
    this.asked = asked;
  }

  static async start(options: SchedulesWorldOptions = {}): Promise<SchedulesWorld> {
    const { storage = createMemoryStorage(), clock = new FakeClock(), killed } = options;
    const { heartbeat, file = "- Look at the disk.", extensions = [] } = options;
    const asked: string[] = [];
    // Days are counted in the machine's time zone unless one is configured.
    const config = {
      cron: { time_zone: "UTC", ...options.cron },
      unattended: { time_zone: "UTC", ...options.unattended },
      heartbeat: { enabled: heartbeat !== undefined, time_zone: "UTC", ...heartbeat },
    };
    const started = await startExtension(
      [schedules, sessionOrchestrator, answeringModel(asked, options.answer, options.prices), ...extensions],
      {
        drivers: { config: (id) => (id === "schedules" ? config : {}) },
        storage,
        clock,
        defaults: { model: "test/model", profiles: options.profiles ?? [] },
        ...(file === null ? {} : { files: { "/work/HEARTBEAT.md": file } }),
      },
    );
    return new SchedulesWorld(started, { storage, asked, ...(killed === undefined ? {} : { killed }) });
  }

  get schedules(): Schedules {
    return this.#started.service(schedulesHandle);
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

  get records(): ConversationRecordsService {
    return this.#started.service(conversationRecordsHandle);
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
    await advanceUntilIdle(this.clock, { isAtRest: () => this.#isAtRest(), killed: this.#killed });
  }

  async runs(id: string): Promise<readonly ScheduleRun[]> {
    return (await this.schedules.runs(id, { limit: 1_000 })).items;
  }

  async wakes(): Promise<readonly HeartbeatWake[]> {
    return (await this.heartbeat.wakes({ limit: 1_000 })).items.toReversed();
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

  async #isAtRest(): Promise<boolean> {
    for (const scope of [namespace, "schedules/heartbeat"]) {
      const [due] = await this.storage.list(scope, { prefix: "due/", limit: 1 });
      const open = await this.storage.list(scope, { prefix: "open/", limit: 1 });
      if (open.length > 0) return false;
      if (due !== undefined && Number(due.key.slice(4, 19)) <= this.clock.now()) return false;
    }
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#started[Symbol.asyncDispose]();
  }
}
