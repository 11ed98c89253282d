type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Bodies that nobody can read any more, and that nobody has cancelled. */
const dropped = new FinalizationRegistry<() => void>((end) => end());

export interface BodyEnd {
  /** There is nothing more to come: the bytes are at their end, have failed, or were cancelled. It may be called again. */
  readonly onEnd: () => void;
  /** Nobody can read them any more. It is kept until then, and must hold nothing that leads to the bytes. */
  readonly onDropped: () => void;
}

/** The same bytes, each piece asked for as it is asked for here. */
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
