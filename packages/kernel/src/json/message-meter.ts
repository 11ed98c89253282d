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

/**
 * By commas and opening brackets, as bytes arrive. A line end closes a string, because JSON strings cannot span
 * lines: an unclosed quote hides nothing on later lines.
 */
export class ValueMeter {
  values = 1;
  #isText = false;
  #isEscaped = false;

  take(byte: number): void {
    if (byte === lineFeed) {
      this.#isText = false;
      this.#isEscaped = false;
    } else if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isText) {
      if (byte === quote) this.#isText = false;
      this.#isEscaped = byte === backslash;
    } else if (byte === quote) this.#isText = true;
    else if (byte === comma || byte === openList || byte === openObject) this.values += 1;
  }
}

const [lineFeed, quote, backslash, comma, openList, openObject] = [10, 34, 92, 44, 91, 123];
