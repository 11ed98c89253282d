type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Detects bodies that were garbage-collected without being cancelled. */
const dropped = new FinalizationRegistry<() => void>((end) => end());

export interface BodyEnd {
  /** May be called more than once. */
  readonly onEnd: () => void;
  /** Retained until the body is garbage-collected, so it must not reference the body. */
  readonly onDropped: () => void;
}

export function untilEnd(body: Body, { onEnd, onDropped }: BodyEnd): Body {
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
          onEnd();
          controller.close();
        } catch (error) {
          onEnd();
          controller.error(error);
        }
      },
      async cancel(reason) {
        onEnd();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  dropped.register(told, onDropped);
  return told;
}
