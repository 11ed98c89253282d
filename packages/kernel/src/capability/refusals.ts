import type { Log } from "../contract/capabilities.ts";
import type { Clock } from "../time/clock.ts";
import { settledError } from "../failures/settled-error.ts";

/** One thing that an extension was refused, however often. */
export interface Refusal {
  /** What was asked, and why it was refused. */
  readonly message: string;
  readonly count: number;
  /** Of the last one, in milliseconds since the Unix epoch. */
  readonly at: number;
}

export interface RefusalReport {
  /** All of them. */
  readonly count: number;
  /** The newest first; of many different ones, those that came last. */
  readonly latest: readonly Refusal[];
}

const maxKept = 50;

/** Extensions that were refused something in what another one did, by the very errors: an error's own word on it could be anybody's. */
const refusedOf = new WeakMap<object, string>();

/** The same error, known as a refusal of `extension` whoever gets it. */
export function asRefusalOf<Refused extends Error>(extension: string, error: Refused): Refused {
  refusedOf.set(error, extension);
  return error;
}

/** Whose refusal an error is; `undefined`: of whoever did it. */
export function extensionRefused(error: unknown): string | undefined {
  return typeof error === "object" && error !== null ? refusedOf.get(error) : undefined;
}

/** What an extension was refused, over all its generations: counted, and each different one logged once. */
export class Refusals {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #kept = new Map<string, Refusal>();
  #count = 0;

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Takes what was thrown, whatever it is, and keeps what is a refusal. */
  note(error: unknown): void {
    const { code, message } = settledError(error) ?? {};
    if (code !== "CAPABILITY_DENIED" || message === undefined) return;
    const known = this.#kept.get(message);
    if (known === undefined) this.#log.warn(message);
    this.#count += 1;
    this.#kept.delete(message); // So that the newest is the last.
    this.#kept.set(message, { message, count: (known?.count ?? 0) + 1, at: this.#clock.now() });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
  }

  report(): RefusalReport {
    return { count: this.#count, latest: [...this.#kept.values()].toReversed() };
  }
}
