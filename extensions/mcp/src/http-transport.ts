import { maxJsonValues, tooWideText, type Clock, type Net } from "@incipit/kernel";
import { MessageRate, OpenRequests } from "@incipit/common/programs";
import {
  StreamableHTTPClientTransport,
  type AuthProvider,
  type FetchLike,
  type JSONRPCMessage,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/client";
import { boundedResponse } from "./bounded-response.ts";
import { isEventStream, lenientEvents, lenientResponse, requestIdOf } from "./lenient-response.ts";
import { maxMessageBytes, maxMessages, messageWindowMs } from "./limits.ts";
import { mendedAnswer, mendedParams } from "./mended-answer.ts";
import { ServerFailure } from "./server-failure.ts";

export interface HttpTransportOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly authProvider?: AuthProvider;
  readonly net: Net;
  readonly clock: Clock;
  readonly onEnd: (reason: ServerFailure) => void;
}

export const lostAnswerCode = -32_099;

/** Maximum number of concurrent requests of a server, which could send them endlessly. */
const maxRequestsAtOnce = 256;

/** Every request ends, even if its stream ends without an answer. */
export class HttpTransport extends StreamableHTTPClientTransport implements Transport {
  readonly #open: OpenRequests;

  constructor(options: HttpTransportOptions) {
    const { authProvider } = options;
    const open = new OpenRequests({ mend: mendedAnswer, mendParams: mendedParams });
    super(new URL(options.url), {
      fetch: lenientFetch(boundedFetch(options), open),
      ...(authProvider === undefined ? {} : { authProvider }),
    });
    this.#open = open;
  }

  override send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    this.#open.note(message);
    return super.send(message, {
      ...(options.resumptionToken === undefined ? {} : { resumptionToken: options.resumptionToken }),
      ...(options.onresumptiontoken === undefined ? {} : { onresumptiontoken: options.onresumptiontoken }),
      ...(options.requestSignal === undefined ? {} : { requestSignal: options.requestSignal }),
      ...(options.headers === undefined ? {} : { headers: options.headers }),
      onRequestStreamEnd: () => {
        options.onRequestStreamEnd?.();
        if (!("id" in message) || !("method" in message)) return;
        // Dropped when the request was answered.
        const error = { code: lostAnswerCode, message: "The connection ended before the answer came" };
        this.onmessage?.({ jsonrpc: "2.0", id: message.id, error });
      },
    });
  }
}

function boundedFetch({ net, clock, headers: added, onEnd }: HttpTransportOptions): FetchLike {
  const rate = new MessageRate(clock, { messages: maxMessages, windowMs: messageWindowMs });
  let requests = 0;
  const fail = (reason: string): ServerFailure => {
    const failure = new ServerFailure(reason);
    onEnd(failure);
    return failure;
  };
  return async (url, { method = "GET", headers, body, signal } = {}) => {
    if (requests >= maxRequestsAtOnce) throw fail(`has more than ${maxRequestsAtOnce} requests at once`);
    requests += 1;
    try {
      const response = await net.fetch(String(url), {
        method,
        headers: { ...Object.fromEntries(new Headers(headers)), ...added },
        ...(typeof body === "string" ? { body } : {}),
        ...(signal === undefined || signal === null ? {} : { signal }),
      });
      return boundedResponse(response, ({ sizeBytes, values, messages }) => {
        if (sizeBytes > maxMessageBytes) return fail(`sent a message of more than ${maxMessageBytes} bytes`);
        if (values > maxJsonValues) return fail(`sent a message ${tooWideText}`);
        if (rate.take(messages)) return undefined;
        return fail(`sent more than ${maxMessages} messages within ${messageWindowMs / 1_000} s`);
      });
    } finally {
      requests -= 1;
    }
  };
}

function lenientFetch(fetch: FetchLike, open: OpenRequests): FetchLike {
  let isHeardElsewhere = false;
  return async (url, init) => {
    const request = init?.method === "POST" ? requestIdOf(init.body) : undefined;
    const response = await fetch(url, init);
    if (init?.method === "POST") return lenientResponse(response, { open, request, isHeardElsewhere });
    if (!response.ok || !isEventStream(response)) return response;
    isHeardElsewhere = true;
    return lenientEvents(response, open);
  };
}
