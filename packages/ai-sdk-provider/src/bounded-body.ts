import { LineFeeds } from "@incipit/kernel";

/** Longest event of a streamed reply, and longest reply that has no events: the packages keep all of it in memory. */
const maxEventBytes = 16 * 1_048_576;
/**
 * Largest reply as it comes, with all that is around what is said: packages also keep what they give nothing for, such as
 * the arguments of a call that has no name yet. What is said has a limit of its own, and may take 30 times as much to be sent.
 */
const maxBodyBytes = 256 * 1_048_576;

export interface BoundedBodyOptions {
  /** Whether it is read event by event. */
  readonly isEventStream: boolean;
  readonly onTooLarge: () => void;
  /** The connection did not bring it to its end. */
  readonly onBroken: () => void;
}

/** A reply as it comes, until one of its events, or all of it, is too large; then it breaks off. */
export function boundedBody(
  body: ReadableStream<Uint8Array>,
  { isEventStream, onTooLarge, onBroken }: BoundedBodyOptions,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const lines = new LineFeeds(); // Whatever it says that it is: packages may read it as events.
  let bodyBytes = 0;
  let eventBytes = 0;
  /** The last byte of the chunk before: an event may end between two. */
  let tail = Buffer.alloc(0);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let next: Awaited<ReturnType<typeof reader.read>>;
      try {
        next = await reader.read();
      } catch (error) {
        onBroken();
        throw error;
      }
      const { done, value: received } = next;
      if (done) {
        controller.close();
        return;
      }
      bodyBytes += received.byteLength;
      const chunk = lines.take(received);
      const seen = Buffer.concat([tail, chunk]);
      const ends = isEventStream ? endsOfEvents(seen) : undefined;
      const longest = eventBytes + (ends === undefined ? chunk.byteLength : ends.first - tail.byteLength);
      eventBytes = ends === undefined ? eventBytes + chunk.byteLength : seen.byteLength - ends.last;
      tail = seen.subarray(-endOfEvent.length + 1);
      if (longest <= maxEventBytes && bodyBytes <= maxBodyBytes) {
        controller.enqueue(chunk);
        return;
      }
      onTooLarge();
      const error = new Error("The reply is too large");
      reader.cancel(error).catch(() => undefined); // Nobody waits for the end of what is not read.
      throw error;
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

const endOfEvent = "\n\n";

/** Behind the first and the last end of an event; `undefined`: none ends. */
function endsOfEvents(bytes: Buffer): { readonly first: number; readonly last: number } | undefined {
  const first = bytes.indexOf(endOfEvent);
  if (first === -1) return undefined;
  return { first: first + endOfEvent.length, last: bytes.lastIndexOf(endOfEvent) + endOfEvent.length };
}
