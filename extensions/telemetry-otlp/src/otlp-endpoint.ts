import { waitUnlessAborted, type Clock, type Net } from "@incipit/kernel";

export interface OtlpEndpointOptions {
  readonly url: string;
  readonly headers: () => Readonly<Record<string, string>>;
  readonly net: Net;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/** https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes */
const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const firstDelayMs = 500;
const maxDelayMs = 5_000;

export class OtlpEndpoint {
  readonly #options: OtlpEndpointOptions;
  #endsAtMs = Infinity;
  readonly #sending = new Set<AbortController>();

  constructor(options: OtlpEndpointOptions) {
    this.#options = options;
  }

  endWithin(timeoutMs: number): void {
    const { clock } = this.#options;
    this.#endsAtMs = clock.now() + timeoutMs;
    clock.setTimer(() => {
      for (const late of this.#sending) late.abort();
    }, timeoutMs);
  }

  async send(body: Uint8Array): Promise<void> {
    const { clock, timeoutMs } = this.#options;
    const deadlineMs = clock.now() + timeoutMs;
    const late = new AbortController();
    const cancel = clock.setTimer(() => late.abort(), Math.min(timeoutMs, this.#endsAtMs - clock.now()));
    this.#sending.add(late);
    try {
      const text = new TextDecoder().decode(body);
      for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
        const refusal = await this.#try(text, late.signal);
        if (refusal === undefined) return;
        const waitMs = Math.max(refusal.retryAfterMs ?? delayMs, delayMs); // Never shorter than the back-off.
        if (!refusal.isRetryable || clock.now() + waitMs >= Math.min(deadlineMs, this.#endsAtMs))
          throw refusal.error;
        await waitUnlessAborted(waitMs, clock, late.signal);
        if (late.signal.aborted) throw refusal.error;
      }
    } finally {
      cancel();
      this.#sending.delete(late);
    }
  }

  async #try(
    body: string,
    signal: AbortSignal,
  ): Promise<
    { readonly error: Error; readonly isRetryable: boolean; readonly retryAfterMs: number | undefined } | undefined
  > {
    const { url, headers, net } = this.#options;
    let response: Response;
    try {
      const own = { "content-type": "application/json" };
      response = await net.fetch(url, { method: "POST", headers: { ...headers(), ...own }, body, signal });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const isRetryable = !signal.aborted;
      return { error: new Error(`Cannot reach it: ${reason}`), isRetryable, retryAfterMs: undefined };
    }
    await response.body?.cancel();
    if (response.ok) return undefined;
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    return {
      error: new Error(`It answered ${response.status}`),
      isRetryable: retryable.has(response.status),
      retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : undefined,
    };
  }
}
