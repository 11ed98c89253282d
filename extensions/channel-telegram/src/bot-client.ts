import { boundedBody, TooLarge } from "@incipit/common";
import { deadlineAround, lostCall, shownLine, type UnansweredCall } from "@incipit/common/http";
import type { Clock, Net } from "@incipit/kernel";
import { Api, GrammyError, HttpError } from "grammy/web";

export type CallFailure =
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly why: string;
      readonly retryAfterMs: number | undefined;
      readonly movedTo: number | undefined;
    }
  | UnansweredCall;

export interface BotClientOptions {
  readonly token: string;
  readonly root: string;
  readonly net: Net;
  readonly clock: Clock;
}

const downloadTimeoutMs = 120_000;
/** Maximum size of an answer: more than a hundred updates of maximum size, each with such a reply. */
const maxAnswerBytes = 16_777_216;

/**
 * Every URL contains the token, so errors never include URLs: they hold Telegram's description or a system error
 * code.
 */
export class BotClient {
  readonly #options: BotClientOptions;

  constructor(options: BotClientOptions) {
    this.#options = options;
  }

  /** @throws the error of the call: see `failureOf`. */
  async within<Result>(
    timeoutMs: number,
    signal: AbortSignal,
    call: (api: Api, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { clock } = this.#options;
    return deadlineAround({ timeoutMs, signal, clock }, (stop) => call(this.#api(stop), stop));
  }

  failureOf(error: unknown): CallFailure {
    const { root, token } = this.#options;
    if (error instanceof GrammyError) {
      const { error_code: status, description, parameters } = error;
      const retryAfterMs = parameters.retry_after === undefined ? undefined : parameters.retry_after * 1_000;
      const movedTo = parameters.migrate_to_chat_id;
      return { kind: "refused", status, why: shownLine(description, token), retryAfterMs, movedTo };
    }
    return lostCall(error instanceof HttpError ? error.error : error, { service: "Telegram", root, token });
  }

  /** @throws {Error} with the reason, without a URL. */
  async download(
    fileId: string,
    { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { root, token, net } = this.#options;
    try {
      return await this.within(downloadTimeoutMs, signal, async (api, stop) => {
        const { file_path: path, file_size: sizeBytes = 0 } = await api.getFile(fileId);
        if (sizeBytes > maxBytes) throw new TooLarge("The file", maxBytes);
        // A self-hosted server may return a path on its own machine.
        if (path === undefined || path.startsWith("/"))
          throw new Unreadable("Telegram returned no address for the file");
        const answer = await net.fetch(`${root}/file/bot${token}/${path}`, { signal: stop });
        if (answer.ok) return await boundedBody(answer, { maxBytes, what: "The file" });
        await answer.body?.cancel();
        throw new Unreadable(`Cannot download the file: Telegram answered ${answer.status}`);
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Unreadable || error instanceof TooLarge) throw error;
      throw new Unreadable(`Cannot read the file from Telegram: ${this.failureOf(error).why}`);
    }
  }

  /** The client expects another library's signals, so ours goes to `fetch` directly. */
  #api(signal: AbortSignal): Api {
    const { token, root } = this.#options;
    const own: Fetch = (input, init) => this.#fetch(urlOf(input), init, signal);
    // Bun's additional properties of `fetch` are unused.
    return new Api(token, { apiRoot: root, fetch: Object.assign(own, { preconnect: () => undefined }) });
  }

  async #fetch(url: string, { method, headers, body }: RequestInit = {}, signal: AbortSignal): Promise<Response> {
    const given = typeof body === "string" ? body : new Uint8Array(await new Response(body).arrayBuffer());
    const answer = await this.#options.net.fetch(url, {
      method: method ?? "GET",
      headers: Object.fromEntries(new Headers(headers)),
      ...(given.length === 0 ? {} : { body: given }),
      signal,
    });
    const { status, headers: answered } = answer;
    return new Response(await boundedBody(answer, { maxBytes: maxAnswerBytes, what: "Telegram's answer" }), {
      status,
      headers: answered,
    });
  }
}

export class Unreadable extends Error {}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

function urlOf(input: string | URL | Request): string {
  return input instanceof Request ? input.url : input.toString();
}
