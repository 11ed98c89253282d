import { LineFeeds, maxJsonValues, messageMeter } from "@incipit/kernel";

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

/** A reply as it comes, until one of its events, or all of it, is too large or has too many values; then it breaks off. */
export function boundedBody(
  body: ReadableStream<Uint8Array>,
  { isEventStream, onTooLarge, onBroken }: BoundedBodyOptions,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const lines = new LineFeeds(); // Whatever it says that it is: packages may read it as events.
  const measure = messageMeter({ isEventStream });
  let bodyBytes = 0;
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
      const { sizeBytes, values } = measure(chunk);
      if (sizeBytes <= maxEventBytes && values <= maxJsonValues && bodyBytes <= maxBodyBytes) {
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
