import type { Clock } from "@incipit/kernel";
import type { ToolProgress } from "@incipit/service-contract";
import { lazySchema, singleLine } from "@incipit/schema";
import * as z from "zod";

/** Maximum duration of a call that reports progress, unless a longer timeout is configured. */
const maxProgressingMs = 3_600_000;

/** Each progress event is stored. Grows with the duration of the call. */
const minPaceMs = 1_000;
const eventsOfPace = 60;

const maxMessageLength = 500;

/** Third-party tools may pass any value. */
const progressSchema = lazySchema(() =>
  z.object({ progress: z.number(), total: z.number().optional(), message: z.string().optional() }),
);

export interface CallProgressOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Never rejects. */
  readonly show: (progress: ToolProgress) => void;
}

/** Throttles progress events, and extends the call's timeout with each. */
export class CallProgress {
  readonly #options: CallProgressOptions;
  #startedAtMs: number;
  #toldAtMs: number;
  #holds = 0;
  #heldAtMs = 0;
  #shownAtMs: number | undefined;
  #waiting: ToolProgress | undefined;
  #cancel: (() => void) | undefined;
  #isOver = false;

  constructor(options: CallProgressOptions) {
    this.#options = options;
    this.#startedAtMs = this.#toldAtMs = options.clock.now();
  }

  get leftMs(): number {
    const { clock, timeoutMs } = this.#options;
    if (this.#holds > 0) return timeoutMs;
    const total = Math.max(timeoutMs, maxProgressingMs);
    return Math.max(0, Math.min(this.#toldAtMs + timeoutMs, this.#startedAtMs + total) - clock.now());
  }

  /** Returns the function that resumes the timeout. */
  hold(): () => void {
    const { clock } = this.#options;
    if (this.#holds === 0) this.#heldAtMs = clock.now();
    this.#holds += 1;
    return () => {
      this.#holds -= 1;
      if (this.#holds > 0) return;
      this.#toldAtMs = clock.now();
      this.#startedAtMs += this.#toldAtMs - this.#heldAtMs;
    };
  }

  /** Third-party tools may pass any value. Never throws. */
  tell(given: unknown): void {
    const { data } = progressSchema.safeParse(given);
    if (data === undefined || this.#isOver) return;
    const { progress, total, message } = data;
    this.#toldAtMs = this.#options.clock.now();
    this.#waiting = {
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message: oneLine(message) }),
    };
    if (this.#cancel !== undefined) return;
    const waitMs = this.#shownAtMs === undefined ? 0 : this.#shownAtMs + this.#paceMs - this.#toldAtMs;
    if (waitMs <= 0) this.#show();
    else this.#cancel = this.#options.clock.setTimer(() => this.#show(), waitMs);
  }

  end(): void {
    this.#isOver = true;
    this.#cancel?.();
  }

  get #paceMs(): number {
    return Math.max(minPaceMs, (this.#options.clock.now() - this.#startedAtMs) / eventsOfPace);
  }

  #show(): void {
    this.#cancel = undefined;
    if (this.#waiting === undefined) return;
    this.#shownAtMs = this.#options.clock.now();
    this.#options.show(this.#waiting);
    this.#waiting = undefined;
  }
}

function oneLine(message: string): string {
  const line = singleLine(
    message
      .slice(0, maxMessageLength)
      .replaceAll(/[\p{Cc}\s]+/gu, " ")
      .toWellFormed(),
  );
  return message.length > maxMessageLength ? `${line}…` : line;
}
