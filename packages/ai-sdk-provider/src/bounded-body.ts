/** Longest line of a streamed reply, and longest reply that has no lines: the packages keep all of it in memory. */
const maxLineBytes = 16 * 1_048_576;
const lineFeed = 10;

/** A reply as it comes, until one of its lines is too long; then `onTooLarge` is called, and it breaks off. */
export function boundedBody(
  body: ReadableStream<Uint8Array>,
  options: { readonly isEventStream: boolean; readonly onTooLarge: () => void },
): ReadableStream<Uint8Array> {
  let lineBytes = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const lastBreak = options.isEventStream ? chunk.lastIndexOf(lineFeed) : -1;
        const firstBreak = options.isEventStream ? chunk.indexOf(lineFeed) : -1;
        const longest = lineBytes + (firstBreak === -1 ? chunk.byteLength : firstBreak);
        lineBytes = lastBreak === -1 ? lineBytes + chunk.byteLength : chunk.byteLength - lastBreak - 1;
        if (longest <= maxLineBytes) {
          controller.enqueue(chunk);
          return;
        }
        options.onTooLarge();
        controller.error(new Error("The reply is too large"));
      },
    }),
  );
}
