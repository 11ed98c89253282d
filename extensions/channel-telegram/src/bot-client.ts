import { KernelError, LinkedSignal, type Clock, type Net } from "@incipit/kernel";
import { Api, GrammyError, HttpError } from "grammy/web";

/** Why a call has come to nothing. */
export type CallFailure =
  /** The service has answered that it did not do it. */
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly why: string;
      readonly retryAfterMs: number | undefined;
    }
  /** Nobody was reached: nothing has left. */
  | { readonly kind: "unreached"; readonly why: string }
  /** It has left, and what became of it is not known. */
  | { readonly kind: "unanswered"; readonly why: string };

export interface BotClientOptions {
  readonly token: string;
  /** Without a slash at its end. */
  readonly root: string;
  readonly net: Net;
  readonly clock: Clock;
}

const downloadTimeoutMs = 120_000;
/** A hundred updates, each with the longest text that there is and one that it answers, have less. */
const maxAnswerBytes = 16_777_216;
const maxReasonLength = 300;

/** The connection did not come about. */
const unreachedCodes = new Set([
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOTFOUND",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/**
 * Telegram's Bot API over the host's `net`. The token stands in every address, so that none is ever part of a message: what is told
 * of a failure is the service's own description, or a code of the system.
 */
export class BotClient {
  readonly #options: BotClientOptions;

  constructor(options: BotClientOptions) {
    this.#options = options;
  }

  /** Calls with a deadline; after it the call is `unanswered`. @throws what the call throws: see `failureOf`. */
  async within<Result>(
    timeoutMs: number,
    signal: AbortSignal,
    call: (api: Api, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { clock } = this.#options;
    signal.throwIfAborted();
    const late = new AbortController();
    const cancel = clock.setTimer(() => late.abort(new Late(timeoutMs)), timeoutMs);
    using stop = new LinkedSignal(signal, late.signal);
    try {
      return await call(this.#api(stop.signal), stop.signal);
    } catch (error) {
      signal.throwIfAborted();
      throw late.signal.aborted ? late.signal.reason : error;
    } finally {
      cancel();
    }
  }

  failureOf(error: unknown): CallFailure {
    if (error instanceof GrammyError) {
      const { error_code: status, description, parameters } = error;
      const retryAfterMs = parameters.retry_after === undefined ? undefined : parameters.retry_after * 1_000;
      return { kind: "refused", status, why: this.#hidden(description), retryAfterMs };
    }
    if (error instanceof Late) return { kind: "unanswered", why: error.message };
    const cause = error instanceof HttpError ? error.error : error;
    if (KernelError.is(cause) && cause.code === "CAPABILITY_DENIED")
      return { kind: "unreached", why: this.#hidden(cause.message) };
    if (cause instanceof TooLarge) return { kind: "unanswered", why: cause.message };
    if (cause instanceof SyntaxError)
      return { kind: "unanswered", why: "what came back was not Telegram's answer" };
    const code = codeOf(cause);
    if (code !== undefined && unreachedCodes.has(code))
      return { kind: "unreached", why: `${this.#options.root} cannot be reached (${code})` };
    return { kind: "unanswered", why: `the connection ended before the answer (${code ?? "no reason given"})` };
  }

  /** The bytes of a file. @throws {Error} that says why there are none, without an address. */
  async download(
    fileId: string,
    { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { root, token, net } = this.#options;
    try {
      return await this.within(downloadTimeoutMs, signal, async (api, stop) => {
        const { file_path: path, file_size: sizeBytes = 0 } = await api.getFile(fileId);
        if (sizeBytes > maxBytes) throw new TooLarge("The file", maxBytes);
        // A server of one's own may keep it in a folder of its machine.
        if (path === undefined || path.startsWith("/"))
          throw new Unreadable("Telegram gives no address for the file");
        const answer = await net.fetch(`${root}/file/bot${token}/${path}`, { signal: stop });
        if (answer.ok) return await bounded(answer, { maxBytes, what: "The file" });
        await answer.body?.cancel();
        throw new Unreadable(`Telegram does not give the file: it answered ${answer.status}`);
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Unreadable || error instanceof TooLarge) throw error;
      throw new Unreadable(`The file could not be read from Telegram: ${this.failureOf(error).why}`);
    }
  }

  /** One call's: the client has signals of another library, and so the signal is given to what it fetches with. */
  #api(signal: AbortSignal): Api {
    const { token, root } = this.#options;
    const own: Fetch = (input, init) => this.#fetch(urlOf(input), init, signal);
    // What Bun has beside the function is not used.
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
    return new Response(await bounded(answer, { maxBytes: maxAnswerBytes, what: "Telegram's answer" }), {
      status,
      headers: answered,
    });
  }

  /** What the service says, as a line that may be shown. */
  #hidden(text: string): string {
    return text.replaceAll(this.#options.token, "[token]").replaceAll(/\s+/g, " ").slice(0, maxReasonLength);
  }
}

class Late extends Error {
  constructor(timeoutMs: number) {
    super(`there was no answer within ${timeoutMs / 1_000} s`);
  }
}

/** Says why a file is not to be had. */
class Unreadable extends Error {}

class TooLarge extends Error {
  constructor(what: string, maxBytes: number) {
    super(`${what} has more than ${maxBytes} bytes`);
  }
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

async function bounded(
  answer: Response,
  { maxBytes, what }: { readonly maxBytes: number; readonly what: string },
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of answer.body ?? []) {
    sizeBytes += piece.byteLength;
    if (sizeBytes > maxBytes) throw new TooLarge(what, maxBytes); // Leaving the loop ends the download.
    pieces.push(piece);
  }
  const bytes = new Uint8Array(sizeBytes);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}

function urlOf(input: string | URL | Request): string {
  return input instanceof Request ? input.url : input.toString();
}

/** The system's code, also of what lies behind. */
function codeOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause)
    if ("code" in at && typeof at.code === "string") return at.code;
  return undefined;
}
