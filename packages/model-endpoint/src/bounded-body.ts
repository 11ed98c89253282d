import { BodyBounds, type BodyBoundsOptions } from "./body-bounds.ts";

export interface BoundedBodyOptions extends BodyBoundsOptions {
  readonly onTooLarge: () => void;
  /** The connection broke before the end. */
  readonly onBroken: (error: unknown) => void;
}

export function boundedBody(
  body: ReadableStream<Uint8Array>,
  { isEventStream, onTooLarge, onBroken }: BoundedBodyOptions,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const bounds = new BodyBounds({ isEventStream });
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let next: Awaited<ReturnType<typeof reader.read>>;
      try {
        next = await reader.read();
      } catch (error) {
        onBroken(error);
        throw error;
      }
      const { done, value: received } = next;
      if (done) {
        controller.close();
        return;
      }
      const chunk = bounds.take(received);
      if (chunk !== undefined) {
        controller.enqueue(chunk);
        return;
      }
      onTooLarge();
      const error = new Error("The reply is too large");
      reader.cancel(error).catch(() => undefined);
      throw error;
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
