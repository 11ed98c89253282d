import { Alarm } from "@incipit/gateway-protocol";
import { errorMessage, type Versioned } from "@incipit/kernel";
import type { Heartbeat, HeartbeatWake, PageQuery } from "@incipit/schema";
import { ServiceError, type HeartbeatService, type Page } from "@incipit/service-contract";
import { Beat } from "./beat.ts";
import type { HeartContext } from "./heart-context.ts";
import { heartbeatView, wakePage, wakeView } from "./heartbeat-view.ts";
import { newWake } from "./new-wake.ts";
import type { HeartbeatResponse, Responses } from "./respond-tool.ts";
import { keys, storedWakeSchema, type StoredBeat, type StoredWake } from "./stored.ts";
import { notifyPerson } from "./notify-chat.ts";
import { conversationNow } from "./wake-conversation.ts";
import { planWake } from "./wake-plan.ts";
import { wakeText } from "./wake-text.ts";
import { nextWakeMs } from "./wake-times.ts";
import { WakeTurn } from "./wake-turn.ts";

/** The clock may be set or sleep. */
const longestWaitMs = 30_000;
const retryMs = 1_000;

/**
 * A wake is claimed together with the next time, sent under its own idempotency key, and settled, each in one commit:
 * across restarts a time wakes at most once, and a wake that began is completed.
 */
export class Heart implements HeartbeatService, Responses {
  readonly #context: HeartContext;
  readonly #beat: Beat;
  readonly #alarm = new Alarm();

  constructor(context: HeartContext) {
    this.#context = context;
    this.#beat = new Beat(context);
  }

  async run(): Promise<void> {
    const { signal, clock, log } = this.#context;
    let failures = 0;
    while (!signal.aborted) {
      let waitMs: number;
      try {
        waitMs = await this.#beatOnce();
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        waitMs = Math.min(retryMs * 2 ** failures, longestWaitMs);
        failures += 1;
        log.error("The heartbeat cannot go on; it is tried again", { error: errorMessage(error) });
      }
      if (waitMs > 0) await this.#alarm.wait(waitMs, clock, signal);
    }
  }

  get(): Promise<Heartbeat> {
    return heartbeatView(this.#context);
  }

  wakes(page: PageQuery): Promise<Page<HeartbeatWake>> {
    return wakePage(this.#context, page);
  }

  async wake(): Promise<HeartbeatWake> {
    const beat = await this.#beat.read();
    const text = await wakeText(this.#context);
    if (text.kind !== "tasks") throw new ServiceError("INVALID_REQUEST", `Nobody was woken: ${text.why}`);
    if (beat.value.openWakeId === null) {
      const nowMs = this.#context.clock.now();
      const wake = newWake(nowMs, { dueMs: nowMs, text: text.text });
      if (await this.#beat.claim(beat, wake, beat.value.nextMs)) {
        this.#alarm.ring();
        return wakeView(wake);
      }
    }
    throw new ServiceError("CONVERSATION_BUSY", "A wake is under way; wait for its end");
  }

  async isForWakes(conversationId: string): Promise<boolean> {
    return (
      conversationId === (await conversationNow(this.#context)) ||
      (await this.#openWake(conversationId)) !== undefined
    );
  }

  async respond({ conversationId, notify }: HeartbeatResponse): Promise<boolean> {
    const wake = await this.#openWake(conversationId);
    if (wake === undefined) return false;
    await this.#context.storage.set(keys.response(wake.id), { notify });
    return true;
  }

  async #openWake(conversationId: string): Promise<StoredWake | undefined> {
    const { openWakeId } = (await this.#beat.read()).value;
    if (openWakeId === null) return undefined;
    const wake = await this.#context.storage.get(keys.wake(openWakeId), storedWakeSchema);
    // In an existing conversation, the id is stored shortly after the message is sent.
    const place = wake?.conversationId ?? (await conversationNow(this.#context));
    return place === conversationId ? wake : undefined;
  }

  async #beatOnce(): Promise<number> {
    const beat = await this.#beat.read();
    const { openWakeId, nextMs } = beat.value;
    if (openWakeId !== null) {
      await new WakeTurn(this.#context, this.#beat).carryOut(openWakeId);
      return 0;
    }
    const waitMs = nextMs - this.#context.clock.now();
    if (waitMs > 0) return Math.min(waitMs, longestWaitMs);
    await this.#begin(beat);
    return 0;
  }

  async #begin(beat: Versioned<StoredBeat>): Promise<void> {
    const { clock, times } = this.#context;
    const { nextMs: dueMs, anchorMs } = beat.value;
    const nowMs = clock.now();
    const nextMs = nextWakeMs(nowMs, anchorMs, times);
    const plan = await planWake(this.#context, dueMs);
    if (plan.kind === "wake") {
      await this.#beat.claim(beat, newWake(nowMs, { dueMs, text: plan.text }), nextMs);
      return;
    }
    // One message announces that the day's budget is spent.
    if (plan.tell !== undefined) await notifyPerson(this.#context, plan.tell);
    await this.#beat.stayIdle(beat, { ...newWake(nowMs, { dueMs, text: "" }), ...plan.end }, nextMs);
  }
}
