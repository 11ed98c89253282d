import { ApiClientError } from "@incipit/transport-contract/http";

export interface RetryOptions {
  /** Wait before the first new try, doubled before each further one, up to `longestWaitMs`; half of it is left to chance. */
  readonly firstWaitMs?: number;
  readonly longestWaitMs?: number;
  /** Without an answer for so long a call fails. `Infinity`: never. */
  readonly giveUpAfterMs?: number;
  /** A stream of which nothing comes for so long was cut off: the host sends something every 15 s. */
  readonly silentAfterMs?: number;
}

export const defaultRetry = {
  firstWaitMs: 250,
  longestWaitMs: 10_000,
  giveUpAfterMs: 120_000,
  silentAfterMs: 45_000,
} as const satisfies Required<RetryOptions>;

/** Whether the host answers, as far as the newest request can tell. */
export type Connection =
  | { readonly isOpen: true }
  | { readonly isOpen: false; readonly error: ApiClientError; readonly waitMs: number };

export interface TriesOptions {
  readonly retry: Required<RetryOptions>;
  readonly signal: AbortSignal | undefined;
  readonly onConnection: (connection: Connection) => void;
}

/** The tries of one piece of work, until it is done or there is no use in another one. */
export class Tries {
  readonly #options: TriesOptions;
  #waitMs: number;
  #failedSince: number | undefined;
  #answeredAt: number | undefined;

  constructor(options: TriesOptions) {
    this.#options = options;
    this.#waitMs = options.retry.firstWaitMs;
  }

  /** The host has answered: what fails from here on fails for the first time. */
  answered(): void {
    if (this.#failedSince !== undefined) this.#options.onConnection({ isOpen: true });
    this.#failedSince = undefined;
    this.#answeredAt = performance.now();
  }

  /** Something new has come. To be answered alone is not enough to ask again soon: a proxy may close each stream at once. */
  progressed(): void {
    this.#waitMs = this.#options.retry.firstWaitMs;
  }

  /**
   * Resolves when it is time for another try: after a while, or as soon as a browser says that it is back online.
   * @throws `error` when another try is of no use, or the host has been away for too long; the reason of `signal`.
   */
  async failed(error: unknown): Promise<void> {
    const { retry, signal, onConnection } = this.#options;
    signal?.throwIfAborted();
    if (!(error instanceof ApiClientError) || !isPassing(error)) throw error;
    const now = performance.now();
    this.#failedSince ??= now;
    if (now - this.#failedSince >= retry.giveUpAfterMs) throw error;
    if (this.#answeredAt !== undefined && now - this.#answeredAt > retry.longestWaitMs) this.progressed();
    this.#answeredAt = undefined;
    // What many clients were cut off from at once, they do not ask again at once.
    const waitMs = this.#waitMs * (1 - Math.random() / 2);
    this.#waitMs = Math.min(this.#waitMs * 2, retry.longestWaitMs);
    onConnection({ isOpen: false, error, waitMs });
    signal?.throwIfAborted();
    await pause(waitMs, signal);
    signal?.throwIfAborted();
  }
}

/** Whether the host may answer otherwise in a moment. A proxy in front of it answers in its own words while it is away. */
function isPassing({ code, status }: ApiClientError): boolean {
  if (code === "UNREACHABLE" || code === "SERVICE_UNAVAILABLE") return true;
  return code === "UNREADABLE" && status >= 502 && status <= 504;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      if (isBrowser) removeEventListener("online", end);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (isBrowser) addEventListener("online", end);
    signal?.addEventListener("abort", end);
  });
}

/** Node has no such function. */
const isBrowser = typeof addEventListener === "function";
