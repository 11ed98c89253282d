import type { Clock } from "@incipit/kernel";

const keepAliveMs = 15_000;

/** Read-ahead limit per client, and chunk size of longer events. */
const maxAheadBytes = 16_384;
const nothing = new Uint8Array();

/** A client that reads nothing for this long while data is pending is disconnected; it can resume. */
const stuckTimeoutMs = 60_000;

export const eventStreamHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

export interface EventStreamOptions<Event> {
  readonly clock: Clock;
  readonly encode: (event: Event) => Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborted here on a disconnect; aborting it elsewhere closes the stream. */
  readonly abort: AbortController;
  /** Aborts the connection instead of ending it cleanly. */
  readonly cut?: AbortSignal | undefined;
  /** Called once, with the error of `events`, if any. */
  readonly onEnd?: (failure?: unknown) => void;
}

/**
 * https://html.spec.whatwg.org/multipage/server-sent-events.html. A comment is sent immediately, so that the headers
 * are not held back until the first event, and then every 15 s.
 *
 * A slow client buffers at most 32 KiB plus its current event, which is shared by all clients at that event. A client
 * that reads nothing for a minute is disconnected. A disconnect ends the following, not the followed turn.
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
  let rest: Uint8Array = nothing;
  const end = (failure?: unknown): void => {
    if (isOver) return;
    isOver = true;
    rest = nothing;
    cancelTimer();
    forgetCut();
    abort.abort();
    // A generator suspended at `yield` does not see a signal; this runs its cleanup.
    iterator.return?.()?.catch(() => undefined);
    onEnd?.(failure);
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const keepOpen = (): void => {
          // Skipped for a client that does not read, where comments would accumulate.
          const hasRoom = (controller.desiredSize ?? 0) > 0;
          if (hasRoom && rest === nothing) controller.enqueue(encoder.encode(": keep open\n\n"));
          stuckMs = hasRoom || hasTaken ? 0 : stuckMs + keepAliveMs;
          hasTaken = false;
          if (stuckMs >= stuckTimeoutMs) {
            end();
            // A clean end would wait for the client.
            controller.error(new Error("The client took nothing for a minute"));
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
          controller.error(new Error("The client's token is no longer valid"));
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
          rest = isLong ? rest.subarray(maxAheadBytes) : nothing; // An empty subarray would keep the whole buffer.
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
