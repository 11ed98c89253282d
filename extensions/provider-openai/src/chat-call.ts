import {
  badResponse,
  brokenOff,
  BodyBounds,
  cutOff,
  failureEvent,
  isEventStream,
  ReplyBody,
  maxArgumentsLength,
  maxSilentParts,
  refusedFailure,
  stopped,
  streamedFailure,
  thrownFailure,
  tooLarge,
  WireCall,
  type CallAddress,
  type CallState,
  type EndpointOptions,
} from "@incipit/provider-kit";
import type { ModelEvent, ModelFailure, ModelRequest } from "@incipit/service-contract";
import {
  ChatStream,
  type ChatEncoder,
  type ChunkReader,
  type ReplyItem,
  type ReplyProblem,
  chatErrorMessage,
} from "@incipit/wire";
import type { ChatEndpoint } from "./chat-endpoint.ts";

export interface ChatCallOptions extends CallAddress, Pick<EndpointOptions, "id" | "net"> {
  readonly chat: ChatEndpoint;
  readonly encoder: ChatEncoder;
  readonly reader: ChunkReader;
  readonly metadataKey: string;
}

const runtime = navigator.userAgent.toLowerCase();

export async function* chatCall(request: ModelRequest, options: ChatCallOptions): AsyncGenerator<ModelEvent> {
  const { id, chat, key, headers, net, reader, metadataKey } = options;
  const { signal } = request;
  const wire = new WireCall({ key, keyHeader: chat.vendor.keyHeader, headers, net, observe: request.observe });
  const stream = new ChatStream({ reader, metadataKey, newId: newCallId, maxArgumentsLength, maxSilentParts });
  const { hideKey } = wire;
  const state = (): CallState => ({ provider: id, outcome: wire.outcome, hasContent: stream.hasContent, hideKey });
  let hasShown = false;
  const end = (failure: ModelFailure): ModelEvent =>
    failureEvent(signal.aborted ? stopped : failure, { hideKey, hasShown });
  try {
    const response = await sent(request, wire, options);
    if (!response.ok) {
      yield end(await refusal(response, wire, state));
      return;
    }
    if (response.body === null) {
      yield end(badResponse(state(), `it answered ${response.status}: Failed to process successful response`));
      return;
    }
    for await (const items of itemsOf(response.body, wire, stream))
      for (const item of items) {
        if (item.type === "problem") {
          yield end(failureOf(item.problem, state(), response));
          return;
        }
        // Neither is output that a retry would show twice.
        hasShown ||= !item.type.startsWith("reasoning") && item.type !== "tool-call-start";
        yield item;
        if (item.type === "finish") return;
      }
  } catch (error) {
    yield end(error instanceof Error ? thrownFailure(error, state()) : streamedFailure(error, state()));
  }
}

async function sent(
  request: ModelRequest,
  wire: WireCall,
  { chat, encoder, baseUrl }: ChatCallOptions,
): Promise<Response> {
  const headers = new Headers({
    "content-type": "application/json",
    "user-agent": `${chat.userAgent} ${runtime}`,
  });
  const url = chat.url(baseUrl);
  return wire.send(url, { headers, body: encoder.encode(request), signal: request.signal });
}

async function* itemsOf(
  body: ReadableStream<Uint8Array>,
  wire: WireCall,
  stream: ChatStream,
): AsyncGenerator<readonly ReplyItem[]> {
  const answer = new ReplyBody(body);
  const bounds = new BodyBounds({ isEventStream: isEventStream(wire.outcome) });
  let isOver = false;
  try {
    for (;;) {
      const received = await answer.next(stream.progress).catch((error: unknown) => {
        isOver = true;
        wire.broken(error);
        throw error;
      });
      if (received === undefined) break;
      const chunk = bounds.take(received);
      if (chunk === undefined) {
        wire.tooLarge();
        yield [{ type: "problem", problem: { kind: "too-large" } }];
        return;
      }
      const items = stream.take(chunk);
      if (items.length > 0) yield items;
    }
    isOver = true;
    yield stream.end();
  } finally {
    if (!isOver) answer.cancel();
  }
}

function failureOf(problem: ReplyProblem, state: CallState, { headers }: Response): ModelFailure {
  switch (problem.kind) {
    case "cut-off":
      return cutOff(state);
    case "broken-off":
      return brokenOff(state, problem.reason);
    case "unreadable":
      return badResponse(state, problem.message);
    case "error":
      return streamedFailure(problem.error, state);
    case "refused": {
      const { status, message } = problem;
      const body = JSON.stringify(problem.error);
      return refusedFailure({ status, message, headers: Object.fromEntries(headers), body, isRead: true }, state);
    }
    case "too-large":
      return tooLarge(state.provider);
  }
}

async function refusal(response: Response, wire: WireCall, state: () => CallState): Promise<ModelFailure> {
  const { status, statusText, headers } = response;
  const answer = { status, headers: Object.fromEntries(headers) };
  const read = await readRefusal(response, wire);
  switch (read.kind) {
    case "too-large":
      return tooLarge(state().provider);
    case "stopped":
      return cutOff(state());
    case "broken":
      return refusedFailure(
        { ...answer, message: "Failed to process error response", body: "", isRead: false },
        state(),
      );
    case "read": {
      const { body, message } = read;
      return refusedFailure(
        { ...answer, message: message ?? statusText, body, isRead: message !== undefined },
        state(),
      );
    }
  }
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Creates a call id of 16 characters, which every vendor accepts. */
function newCallId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join("");
}

type ReadRefusal =
  | { readonly kind: "read"; readonly body: string; readonly message: string | undefined }
  | { readonly kind: "too-large" | "broken" | "stopped" };

async function readRefusal({ body }: Response, wire: WireCall): Promise<ReadRefusal> {
  const bounds = new BodyBounds({ isEventStream: false });
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  const reader = body?.getReader();
  try {
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
      const chunk = bounds.take(next.value);
      if (chunk === undefined) {
        wire.tooLarge();
        reader?.cancel().catch(() => undefined); // Do not wait for the rest of the body.
        return { kind: "too-large" };
      }
      pieces.push(decoder.decode(chunk, { stream: true }));
    }
  } catch (error) {
    wire.broken(error);
    const isStopped = error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
    return { kind: isStopped ? "stopped" : "broken" };
  }
  const text = [...pieces, decoder.decode()].join("");
  return { kind: "read", body: text, message: chatErrorMessage(text) };
}
