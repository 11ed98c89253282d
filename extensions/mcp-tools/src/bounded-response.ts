import { LineFeeds } from "@incipit/kernel";
import { breath } from "./message-rate.ts";

/** What came with one chunk of a body. */
export interface Arrival {
  /** Bytes of the largest message in it so far: the whole body, or an event of a `text/event-stream`. */
  readonly sizeBytes: number;
  /** How many messages ended in it. */
  readonly messages: number;
}

/** The response with a body that fails as soon as `judge` gives an error for what came. */
export function boundedResponse(response: Response, judge: (arrival: Arrival) => Error | undefined): Response {
  if (response.body === null) return response;
  // Of a refusal the library reads all, whatever it is.
  const isStream = response.ok && response.headers.get("content-type")?.includes("text/event-stream") === true;
  const measure = isStream ? eventMeter() : bodyMeter();
  const lines = new LineFeeds();
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    async transform(received, controller) {
      const chunk = lines.take(received);
      const error = judge(measure(chunk));
      if (error !== undefined) {
        controller.error(error);
        return;
      }
      controller.enqueue(chunk);
      await breath();
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(bounded), { status, statusText, headers });
}

function bodyMeter(): (chunk: Uint8Array) => Arrival {
  let sizeBytes = 0;
  return (chunk) => {
    sizeBytes += chunk.length;
    return { sizeBytes, messages: 0 };
  };
}

/** An event ends with an empty line. */
function eventMeter(): (chunk: Uint8Array) => Arrival {
  let openBytes = 0;
  let isLineEmpty = false;
  return (chunk) => {
    let [sizeBytes, messages] = [0, 0];
    for (const byte of chunk) {
      openBytes += 1;
      if (byte === lineFeed && isLineEmpty) {
        sizeBytes = Math.max(sizeBytes, openBytes);
        openBytes = 0;
        messages += 1;
      }
      isLineEmpty = byte === lineFeed;
    }
    return { sizeBytes: Math.max(sizeBytes, openBytes), messages };
  };
}

const lineFeed = 10;
