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
  let bodyBytes = 0;
  let eventBytes = 0;
  /** The last bytes of the chunk before: an event may end between two. */
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
      const { done, value: chunk } = next;
      if (done) {
        controller.close();
        return;
      }
      bodyBytes += chunk.byteLength;
      const seen = Buffer.concat([tail, chunk]);
      const ends = isEventStream ? endsOfEvents(seen) : undefined;
      const longest = eventBytes + (ends === undefined ? chunk.byteLength : ends.first - tail.byteLength);
      eventBytes = ends === undefined ? eventBytes + chunk.byteLength : seen.byteLength - ends.last;
      tail = seen.subarray(-maxEndBytes + 1);
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

/** What events end with, but for carriage returns alone, which no vendor sends. */
const eventEnds = ["\n\n", "\n\r\n"];
const maxEndBytes = 3;

/** Behind the first and the last end of an event; `undefined`: none ends. */
function endsOfEvents(bytes: Buffer): { readonly first: number; readonly last: number } | undefined {
  const found = eventEnds.flatMap((end) => {
    const first = bytes.indexOf(end);
    return first === -1 ? [] : [{ first: first + end.length, last: bytes.lastIndexOf(end) + end.length }];
  });
  if (found.length === 0) return undefined;
  return { first: Math.min(...found.map(({ first }) => first)), last: Math.max(...found.map(({ last }) => last)) };
}
