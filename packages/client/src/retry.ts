import { ApiClientError } from "@incipit/transport-contract/http";

export interface RetryOptions {
  /** Delay before the first retry; doubles up to `longestWaitMs`, with 50% jitter. */
  readonly firstWaitMs?: number;
  readonly longestWaitMs?: number;
  /** Fails after this time without an answer. `Infinity`: never. */
  readonly giveUpAfterMs?: number;
  /** Reconnects a stream after this time without data; the host sends a keep-alive every 15 s. */
  readonly silentAfterMs?: number;
}

export const defaultRetry = {
  firstWaitMs: 250,
  longestWaitMs: 10_000,
  giveUpAfterMs: 120_000,
  silentAfterMs: 45_000,
} as const satisfies Required<RetryOptions>;

export type Connection =
  | { readonly isOpen: true }
  | { readonly isOpen: false; readonly error: ApiClientError; readonly waitMs: number };

export interface TriesOptions {
  readonly retry: Required<RetryOptions>;
  readonly signal: AbortSignal | undefined;
  readonly onConnection: (connection: Connection) => void;
}

export class Tries {
  readonly #options: TriesOptions;
  #waitMs: number;
  #failedSince: number | undefined;
  #answeredAt: number | undefined;

  constructor(options: TriesOptions) {
    this.#options = options;
    this.#waitMs = options.retry.firstWaitMs;
  }

  answered(): void {
    if (this.#failedSince !== undefined) this.#options.onConnection({ isOpen: true });
    this.#failedSince = undefined;
    this.#answeredAt = performance.now();
  }

  /** An answer alone does not reset the delay, because a proxy may close each stream immediately. */
  progressed(): void {
    this.#waitMs = this.#options.retry.firstWaitMs;
  }

  /**
   * Waits for the delay, or until the browser is online again.
   * @throws `error` if not retryable or the time limit is exceeded; the reason of `signal`.
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
    // Clients that lost their connection together do not reconnect together.
    const waitMs = this.#waitMs * (1 - Math.random() / 2);
    this.#waitMs = Math.min(this.#waitMs * 2, retry.longestWaitMs);
    onConnection({ isOpen: false, error, waitMs });
    signal?.throwIfAborted();
    await pause(waitMs, signal);
    signal?.throwIfAborted();
  }
}

/** Returns whether an error may pass. `UNREADABLE` is the body of a proxy that cannot reach the host. */
function isPassing({ code, status }: ApiClientError): boolean {
  if (code === "UNREACHABLE" || code === "SERVICE_UNAVAILABLE") return true;
  return code === "UNREADABLE" && status >= 502 && status <= 504;
}

/** Waits; ends early when the browser comes back online or the signal aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
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

/** Whether this is a browser: Node has no global `addEventListener`. */
const isBrowser = typeof addEventListener === "function";
