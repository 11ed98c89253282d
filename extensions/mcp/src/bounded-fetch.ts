import { KernelError, type Clock, type Net } from "@incipit/kernel";
import type { FetchLike } from "@modelcontextprotocol/client";
import { ServerFailure } from "./server-failure.ts";

const answerMs = 30_000;
const maxAnswerBytes = 1_048_576;

export interface BoundedFetchOptions {
  readonly net: Net;
  readonly clock: Clock;
  /** The only origins to call: the host's grant also covers those of other servers. */
  readonly origins: ReadonlySet<string>;
}

/** Reads responses to their end within limits of time and size. */
export function boundedFetch({ net, clock, origins }: BoundedFetchOptions): FetchLike {
  return async (address, { method = "GET", headers, body, signal } = {}) => {
    if (!origins.has(new URL(String(address)).origin)) throw notNamed(address);
    const late = new AbortController();
    const cancel = clock.setTimer(() => late.abort(new ServerFailure("did not answer within 30 s")), answerMs);
    try {
      const response = await net.fetch(String(address), {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        ...(typeof body === "string" || body instanceof URLSearchParams ? { body: body.toString() } : {}),
        signal: signal ? AbortSignal.any([late.signal, signal]) : late.signal,
      });
      return new Response(await boundedText(response), { status: response.status, headers: response.headers });
    } catch (error) {
      if (late.signal.aborted) throw late.signal.reason;
      if (!KernelError.is(error) || error.code !== "CAPABILITY_DENIED") throw error;
      throw notNamed(address, error);
    } finally {
      cancel();
    }
  };
}

function notNamed(address: string | URL, cause?: unknown): ServerFailure {
  const { origin } = new URL(String(address));
  const advice = `if you trust that address, write oauth_server = "${origin}" into its table of the configuration`;
  return new ServerFailure(`has its sign-in at ${origin}, which the host may not call; ${advice}`, { cause });
}

async function boundedText(response: Response): Promise<string | null> {
  // An event stream has no end.
  if (response.ok && response.headers.get("content-type")?.startsWith("text/event-stream") === true) {
    await response.body?.cancel();
    return "";
  }
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxAnswerBytes) throw new ServerFailure("sent more than 1 MiB during the sign-in");
    pieces.push(decoder.decode(chunk, { stream: true }));
  }
  return [204, 205, 304].includes(response.status) ? null : [...pieces, decoder.decode()].join("");
}
