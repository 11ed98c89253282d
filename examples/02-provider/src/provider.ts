import { KernelError, type Net } from "@incipit/kernel";
import type { ModelEvent, ModelFailure, ModelProvider, ModelRequest } from "@incipit/service-contract";
import { CallError } from "./call-error.ts";
import { readReply } from "./read-reply.ts";
import { requestBody } from "./request-body.ts";

export interface ProviderOptions {
  /** With its version, such as `https://api.acme.dev/v1`. */
  readonly url: string | undefined;
  readonly key: string | undefined;
  readonly net: Net;
}

/** Acme's endpoint, which speaks OpenAI's chat protocol. The stream never throws: failures are its last event. */
export function createProvider({ url, key, net }: ProviderOptions): ModelProvider {
  const problem = url === undefined ? "set ACME_URL to the endpoint, such as https://api.acme.dev/v1" : null;
  return {
    id: "acme",
    models: ["acme-small", "acme-large"],
    problem,
    async *stream(request) {
      try {
        if (url === undefined) throw new CallError("NOT_CONFIGURED", `Cannot call "acme": ${problem}`);
        yield* readReply(await send(request, { url, key, net }));
      } catch (error) {
        yield failed(request.signal.aborted ? new CallError("FAILED", "The call was stopped") : error, key);
      }
    },
  };
}

async function send(
  request: ModelRequest,
  { url, key, net }: ProviderOptions & { readonly url: string },
): Promise<Response> {
  const { signal, observe } = request;
  signal.throwIfAborted();
  let isRecorded = false;
  const response = await net
    .fetch(`${url}/chat/completions`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: requestBody(request),
      signal,
      // The host records exactly this request before the first byte is sent.
      async observe(wire) {
        await observe(wire);
        isRecorded = true;
      },
    })
    .catch((cause: unknown) => {
      if (!isRecorded) throw cause; // The host rejected or could not record it: nothing was sent.
      throw new CallError("UNREACHABLE", `Cannot reach "acme": ${messageOf(cause)}`, { isRetryable: true });
    });
  if (!response.ok) throw await refusal(response);
  return response;
}

async function refusal(response: Response): Promise<CallError> {
  const { status, headers } = response;
  const message = `"acme" answered ${status}: ${await response.text()}`;
  if (status === 401 || status === 403) return new CallError("UNAUTHORIZED", `${message}; check ACME_KEY`);
  if (status === 429) {
    const seconds = Number(headers.get("retry-after") ?? Number.NaN);
    const wait = Number.isFinite(seconds) ? { retryAfterMs: seconds * 1_000 } : {};
    return new CallError("RATE_LIMITED", message, { isRetryable: true, ...wait });
  }
  if (status >= 500) return new CallError("OVERLOADED", message, { isRetryable: true });
  return new CallError("BAD_REQUEST", message);
}

function failed(error: unknown, key: string | undefined): ModelEvent {
  const { message, ...failure } = failureOf(error);
  return {
    type: "failure",
    error: { ...failure, message: key === undefined ? message : message.replaceAll(key, "[key]") },
  };
}

function failureOf(error: unknown): ModelFailure {
  if (error instanceof CallError) return error.failure;
  // Errors of the host keep their code, such as CAPABILITY_DENIED.
  const code = KernelError.is(error) ? error.code : "FAILED";
  return { code, message: messageOf(error), isRetryable: false };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
