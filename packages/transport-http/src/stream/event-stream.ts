import type { Clock } from "@incipit/kernel";

const keepAliveMs = 15_000;

/** What is on its way to a client before it has taken what is before it; a longer event goes in pieces of this size. */
const maxAheadBytes = 16_384;
const nothing = new Uint8Array();

/** A client that takes nothing for so long while something waits for it is let go: it can come back for the rest. */
const stuckTimeoutMs = 60_000;

export const eventStreamHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

export interface EventStreamOptions<Event> {
  readonly clock: Clock;
  /** The whole of one event, as it goes over the wire. */
  readonly encode: (event: Event) => Uint8Array;
  /** Beside those of every stream. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the following: aborted here when the client leaves; whoever else aborts it closes the stream. */
  readonly abort: AbortController;
  /** Cuts the connection when it aborts: the client is told of no end that there was none. */
  readonly cut?: AbortSignal | undefined;
  /** Called once, when the stream is over; with what `events` threw, if it did. */
  readonly onEnd?: (failure?: unknown) => void;
}

/**
 * Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), each as soon as it is there.
 *
 * - A comment goes out at once, so that the headers are not held back until the first event, and then every 15 s.
 * - Events are fetched as the client takes them: a slow one holds at most 32 KiB in memory, and the event that it is at, which it
 *   shares with all who are at it; and it slows nobody. A stream that is cut off within an event is one without that event.
 *   One that takes nothing for a minute is disconnected.
 * - A client that leaves ends the following, and not what is followed.
 */
export function eventStream<Event>(events: AsyncIterable<Event>, options: EventStreamOptions<Event>): Response {
  const { clock, encode, headers, abort, cut, onEnd } = options;
  const encoder = new TextEncoder();
  const iterator = events[Symbol.asyncIterator]();
  let cancelTimer = (): void => {};
  let forgetCut = (): void => {};
  let isOver = false;
  let hasTaken = true;
  let stuckMs = 0;
  /** What is left of the event that the client is at. */
  let rest: Uint8Array = nothing;
  const end = (failure?: unknown): void => {
    if (isOver) return;
    isOver = true;
    rest = nothing;
    cancelTimer();
    forgetCut();
    abort.abort();
    // A generator that waits at its `yield` hears of no signal; what it does at its end, it does now.
    iterator.return?.()?.catch(() => undefined);
    onEnd?.(failure);
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const keepOpen = (): void => {
          // Not for a client that does not read: these would heap up.
          const hasRoom = (controller.desiredSize ?? 0) > 0;
          if (hasRoom && rest === nothing) controller.enqueue(encoder.encode(": keep open\n\n"));
          stuckMs = hasRoom || hasTaken ? 0 : stuckMs + keepAliveMs;
          hasTaken = false;
          if (stuckMs >= stuckTimeoutMs) {
            end();
            controller.error(new Error("The client took nothing for a minute")); // It would wait for the client otherwise.
            return;
          }
          cancelTimer = clock.setTimer(keepOpen, keepAliveMs);
        };
        keepOpen();
        const close = (): void => {
          if (isOver) return;
          end();
          controller.close();
        };
        abort.signal.addEventListener("abort", close, { once: true });
        const cutOff = (): void => {
          if (isOver) return;
          end();
          controller.error(new Error("The client may not go on"));
        };
        cut?.addEventListener("abort", cutOff, { once: true });
        forgetCut = () => cut?.removeEventListener("abort", cutOff);
        if (cut?.aborted === true) cutOff();
      },
      async pull(controller) {
        hasTaken = true;
        try {
          if (rest.byteLength === 0) {
            const next = await iterator.next();
            if (isOver) return;
            if (next.done === true) {
              end();
              controller.close();
              return;
            }
            rest = encode(next.value);
          }
          const isLong = rest.byteLength > maxAheadBytes;
          controller.enqueue(isLong ? rest.subarray(0, maxAheadBytes) : rest);
          rest = isLong ? rest.subarray(maxAheadBytes) : nothing; // An empty part would hold all of it.
        } catch (error) {
          if (isOver) return;
          end(error);
          controller.error(error);
        }
      },
      cancel() {
        end();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxAheadBytes }),
  );
  return new Response(stream, { headers: { ...eventStreamHeaders, ...headers } });
}
