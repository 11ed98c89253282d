import type { Clock } from "@incipit/kernel";
import type { ToolProgress } from "@incipit/service-contract";
import { lazySchema, singleLine } from "@incipit/schema";
import * as z from "zod";

/** Longest that a call may take because it tells how far it is; one that may take longer by itself is not cut shorter. */
const maxProgressingMs = 3_600_000;

/** The pace of what is shown: each time it is stored. A call that runs for long tells less often, so that its events stay few. */
const minPaceMs = 1_000;
const eventsOfPace = 60;

/** In UTF-16 units. */
const maxMessageLength = 500;

/** A tool of another's may be plain JavaScript, and say anything. */
const progressSchema = lazySchema(() =>
  z.object({ progress: z.number(), total: z.number().optional(), message: z.string().optional() }),
);

export interface CallProgressOptions {
  readonly clock: Clock;
  /** The call's own. */
  readonly timeoutMs: number;
  /** Never rejects. */
  readonly show: (progress: ToolProgress) => void;
}

/** What a call tells of itself while it runs: how often that is shown, and how much time it gives the call. */
export class CallProgress {
  readonly #options: CallProgressOptions;
  #startedAtMs: number;
  #toldAtMs: number;
  /** Those who wait for a person; and since when there have been any. */
  #holds = 0;
  #heldAtMs = 0;
  #shownAtMs: number | undefined;
  /** The newest that was told since. */
  #waiting: ToolProgress | undefined;
  #cancel: (() => void) | undefined;
  #isOver = false;

  constructor(options: CallProgressOptions) {
    this.#options = options;
    this.#startedAtMs = this.#toldAtMs = options.clock.now();
  }

  /** How long the call may go on from now; 0: no longer. */
  get leftMs(): number {
    const { clock, timeoutMs } = this.#options;
    if (this.#holds > 0) return timeoutMs;
    const total = Math.max(timeoutMs, maxProgressingMs);
    return Math.max(0, Math.min(this.#toldAtMs + timeoutMs, this.#startedAtMs + total) - clock.now());
  }

  /** The time of the call stands still, as it waits for a person, until what it gives is called. */
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

  /** Takes what a tool tells. Never throws. */
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

  /** The call is over: nothing is shown any more. */
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
