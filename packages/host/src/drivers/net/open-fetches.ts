/**
 * Bun's limit, unless this variable sets another at the start; further requests wait until a body has ended
 * (https://bun.com/docs/runtime/networking/fetch).
 */
const limitOfBun = 256;
const limitVariable = "BUN_CONFIG_MAX_HTTP_REQUESTS";
/** The rest is for other users of `fetch` in this process and for proxied requests. */
const share = 0.75;

export class OpenFetches {
  readonly #max: number;
  #count = 0;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    const given = Number(env[limitVariable]);
    this.#max = Math.floor((given > 0 ? given : limitOfBun) * share);
  }

  get hasRoom(): boolean {
    return this.#count < this.#max;
  }

  /** An abort releases the slot. */
  async count(signal: AbortSignal, send: () => Promise<Response>): Promise<Response> {
    const end = this.#begin();
    signal.addEventListener("abort", end, { once: true });
    const over = (): void => {
      end();
      signal.removeEventListener("abort", end);
    };
    try {
      const response = await send();
      if (response.body !== null)
        return new Response(untilEnd(response.body, { onEnd: over, onDropped: end }), response);
      over();
      return response;
    } catch (error) {
      over();
      throw error;
    }
  }

  /** Lives as long as the response, so it must not reference it. */
  #begin(): () => void {
    let isOpen = true;
    this.#count += 1;
    return () => {
      if (isOpen) this.#count -= 1;
      isOpen = false;
    };
  }
}

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Detects bodies that were garbage-collected without being cancelled. */
const dropped = new FinalizationRegistry<() => void>((end) => end());

interface BodyEnd {
  /** May be called more than once. */
  readonly onEnd: () => void;
  /** Retained until the body is garbage-collected, so it must not reference the body. */
  readonly onDropped: () => void;
}

export function untilEnd(body: Body, { onEnd, onDropped }: BodyEnd): Body {
  const reader = body.getReader();
  const told: Body = new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) {
            controller.enqueue(value);
            return;
          }
          onEnd();
          controller.close();
        } catch (error) {
          onEnd();
          controller.error(error);
        }
      },
      async cancel(reason) {
        onEnd();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  dropped.register(told, onDropped);
  return told;
}
