import { ValueMeter } from "./value-meter.ts";

/** After one chunk of a body. */
export interface Arrival {
  /** Bytes of the largest message so far: the whole body, or one event of a `text/event-stream`. */
  readonly sizeBytes: number;
  /** Most JSON values in one message so far. */
  readonly values: number;
  /** Messages that ended in this chunk. */
  readonly messages: number;
}

/** Measures a body as it arrives, before it is buffered or parsed. Expects line ends normalized by `LineFeeds`. */
export function messageMeter({
  isEventStream,
}: {
  readonly isEventStream: boolean;
}): (chunk: Uint8Array) => Arrival {
  return isEventStream ? eventMeter() : bodyMeter();
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

/** An empty line ends an event. */
function eventMeter(): (chunk: Uint8Array) => Arrival {
  let openBytes = 0;
  let isLineEmpty = false;
  let meter = new ValueMeter();
  return (chunk) => {
    let [sizeBytes, values, messages] = [openBytes, meter.values, 0];
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
