type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Bodies that nobody can read any more, and that nobody has cancelled. */
const dropped = new FinalizationRegistry<() => void>((end) => end());

/**
 * The same bytes, each piece asked for as it is asked for here. `end` is called when there is nothing more to come: they are
 * at their end, have failed, were cancelled, or nobody can read them any more. It may be called again.
 */
export function untilEnd(body: Body, end: () => void): Body {
  const reader = body.getReader();
  const told: Body = new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) {
            controller.enqueue(value);
            return;
          }
          end();
          controller.close();
        } catch (error) {
          end();
          controller.error(error);
        }
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  dropped.register(told, end);
  return told;
}
