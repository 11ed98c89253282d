import { LineFeeds } from "@incipit/kernel";
import { ValueMeter } from "./value-meter.ts";
import { breath } from "./message-rate.ts";

/** What came with one chunk of a body. */
export interface Arrival {
  /** Bytes of the largest message in it so far: the whole body, or an event of a `text/event-stream`. */
  readonly sizeBytes: number;
  /** Values that the largest of them is made of so far. */
  readonly values: number;
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
  const meter = new ValueMeter();
  return (chunk) => {
    sizeBytes += chunk.length;
    for (const byte of chunk) meter.take(byte);
    return { sizeBytes, values: meter.values, messages: 0 };
  };
}

/** An event ends with an empty line. */
function eventMeter(): (chunk: Uint8Array) => Arrival {
  let openBytes = 0;
  let isLineEmpty = false;
  let meter = new ValueMeter();
  return (chunk) => {
    let [sizeBytes, values, messages] = [0, 0, 0];
    for (const byte of chunk) {
      openBytes += 1;
      meter.take(byte);
      if (byte === lineFeed && isLineEmpty) {
        sizeBytes = Math.max(sizeBytes, openBytes);
        openBytes = 0;
        values = Math.max(values, meter.values);
        meter = new ValueMeter();
        messages += 1;
      }
      isLineEmpty = byte === lineFeed;
    }
    return { sizeBytes: Math.max(sizeBytes, openBytes), values: Math.max(values, meter.values), messages };
  };
}

const lineFeed = 10;
