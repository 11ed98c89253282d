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
    let isOpen = true;
    const end = (): void => {
      if (!isOpen) return;
      isOpen = false;
      this.#count -= 1;
      signal.removeEventListener("abort", end);
    };
    this.#count += 1;
    signal.addEventListener("abort", end, { once: true });
    try {
      const response = await send();
      if (response.body !== null) return new Response(untilEnd(response.body, end), response);
      end();
      return response;
    } catch (error) {
      end();
      throw error;
    }
  }
}
