import { isObject } from "@incipit/schema";
import { RequestError, type AnyMessage, type Stream } from "@agentclientprotocol/sdk/unstable";
import { LineReader, type ReadLine } from "./line-reader.ts";
import { normalizeMessage } from "./normalize-message.ts";

/** A request of the host, 8 MiB, with headroom for JSON escapes, which take up to six bytes per byte. */
const maxLineBytes = 33_554_432;

export interface LineStreamOptions {
  readonly input: ReadableStream<Uint8Array>;
  /** Applies backpressure. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly signal: AbortSignal;
  /** For dropped parts of messages. */
  readonly log: (line: string) => void;
}

/**
 * JSON Lines. An invalid line is answered without an id, as JSON-RPC requires, and the connection continues, so that an
 * editor keeps its session.
 */
export function lineStream({ input, write, signal, log }: LineStreamOptions): Stream {
  const encoder = new TextEncoder();
  let last = Promise.resolve();
  const send = (message: unknown): Promise<void> => {
    const bytes = encoder.encode(`${JSON.stringify(message)}\n`);
    const sent = last.then(() => write(bytes));
    last = sent.catch(() => undefined);
    return sent;
  };
  const refuse = (error: RequestError): Promise<void> =>
    send({ jsonrpc: "2.0", id: null, error: error.toErrorResponse() }).catch(() => undefined);
  const lines = new LineReader({ maxBytes: maxLineBytes });
  const reader = input.getReader();
  const ready: AnyMessage[] = [];
  let end = (): void => {};
  const take = async (read: Iterable<ReadLine>): Promise<void> => {
    for (const line of read) {
      const taken = toMessage(line, log);
      if (taken instanceof RequestError) await refuse(taken);
      else if (taken !== undefined) ready.push(taken);
    }
  };
  return {
    readable: new ReadableStream<AnyMessage>({
      start(controller) {
        end = () => {
          signal.removeEventListener("abort", end);
          controller.close();
          void reader.cancel().catch(() => undefined);
        };
        signal.addEventListener("abort", end);
        if (signal.aborted) end();
      },
      async pull(controller) {
        while (ready.length === 0) {
          // A failed input counts as ended.
          const { done, value } = await reader.read().catch(() => ({ done: true as const, value: undefined }));
          if (signal.aborted) return;
          await take(done ? lines.end() : lines.take(value));
          if (signal.aborted) return;
          if (done && ready.length === 0) return end();
        }
        for (const message of ready.splice(0)) controller.enqueue(message);
      },
      cancel(reason) {
        signal.removeEventListener("abort", end);
        return reader.cancel(reason);
      },
    }),
    writable: new WritableStream<AnyMessage>({ write: send }),
  };
}

/** `undefined` for an empty line. */
function toMessage(line: ReadLine, log: LineStreamOptions["log"]): AnyMessage | RequestError | undefined {
  if (line.kind === "too-long")
    return RequestError.invalidRequest(
      { maxBytes: maxLineBytes },
      `the line has more than ${maxLineBytes} bytes; send less`,
    );
  if (line.text.trim() === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch {
    return RequestError.parseError(undefined, "the line is not valid JSON; send each message as one line");
  }
  const mended = isObject(value) ? normalizeMessage(value, log) : value;
  if (isMessageLike(mended)) return mended;
  const what = Array.isArray(value) ? "batches are not part of the protocol" : "a message is a JSON object";
  return RequestError.invalidRequest(undefined, what);
}

/** The connection validates members, as it knows the pending requests. */
function isMessageLike(value: unknown): value is AnyMessage {
  return isObject(value);
}
