import type { Clock } from "@incipit/kernel";
import type { TurnEvent } from "@incipit/transport-contract";

const keepAliveMs = 15_000;

/**
 * Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), pulled as the client takes them. A
 * client that leaves ends `abort`, and with it the following, not what is followed.
 */
export function eventStream(
  events: AsyncIterable<TurnEvent>,
  options: { readonly clock: Clock; readonly abort: AbortController },
): Response {
  const { clock, abort } = options;
  const encoder = new TextEncoder();
  const iterator = events[Symbol.asyncIterator]();
  let cancelTimer = (): void => {};
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const keepOpen = (): void => {
          controller.enqueue(encoder.encode(": keep open\n\n"));
          cancelTimer = clock.setTimer(keepOpen, keepAliveMs);
        };
        keepOpen(); // At once, so that the headers go out before the first event.
      },
      async pull(controller) {
        try {
          const next = await iterator.next();
          if (next.done !== true) {
            const event = next.value;
            controller.enqueue(
              encoder.encode(`id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
            );
            return;
          }
          cancelTimer();
          controller.close();
        } catch (error) {
          cancelTimer();
          controller.error(error);
        }
      },
      cancel() {
        cancelTimer();
        abort.abort();
      },
    },
    { highWaterMark: 16 },
  );
  return new Response(stream, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    },
  });
}
