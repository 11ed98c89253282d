import { untilEnd } from "./until-end.ts";

/**
 * So many requests `fetch` of Bun runs at once in a process, unless this variable says another number when it starts; one
 * more waits until another one's body has ended (https://bun.com/docs/runtime/networking/fetch).
 */
const limitOfBun = 256;
const limitVariable = "BUN_CONFIG_MAX_HTTP_REQUESTS";
/** Left to whoever else fetches in this process, and to requests over a proxy. */
const share = 0.75;

/** Counts the requests that are open in Bun's `fetch`: each from its start until its body has ended. */
export class OpenFetches {
  readonly #max: number;
  #count = 0;

  /** @param env The environment with which the process was started. */
  constructor(env: Readonly<Record<string, string | undefined>>) {
    const given = Number(env[limitVariable]);
    this.#max = Math.floor((given > 0 ? given : limitOfBun) * share);
  }

  get hasRoom(): boolean {
    return this.#count < this.#max;
  }

  /** Counts what `send` asks for, and gives its response. Once the signal has aborted, it counts no more. */
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

  /** Gives what ends it. That is kept for as long as the answer can be read, and so must hold nothing that leads back there. */
  #begin(): () => void {
    let isOpen = true;
    this.#count += 1;
    return () => {
      if (isOpen) this.#count -= 1;
      isOpen = false;
    };
  }
}
