/** Longest line of a streamed reply, and longest reply that has no lines: the packages keep all of it in memory. */
const maxLineBytes = 16 * 1_048_576;
const lineFeed = 10;

export interface BoundedBodyOptions {
  readonly isEventStream: boolean;
  readonly onTooLarge: () => void;
  /** The connection did not bring it to its end. */
  readonly onBroken: () => void;
}

/** A reply as it comes, until one of its lines is too long; then it breaks off. */
export function boundedBody(
  body: ReadableStream<Uint8Array>,
  { isEventStream, onTooLarge, onBroken }: BoundedBodyOptions,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let lineBytes = 0;
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
      const lastBreak = isEventStream ? chunk.lastIndexOf(lineFeed) : -1;
      const firstBreak = isEventStream ? chunk.indexOf(lineFeed) : -1;
      const longest = lineBytes + (firstBreak === -1 ? chunk.byteLength : firstBreak);
      lineBytes = lastBreak === -1 ? lineBytes + chunk.byteLength : chunk.byteLength - lastBreak - 1;
      if (longest <= maxLineBytes) {
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
