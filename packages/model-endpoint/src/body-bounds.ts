import { LineFeeds, maxJsonValues, messageMeter } from "@incipit/kernel";

/** Longest event of a streamed reply, and longest reply that has no events: whoever reads it keeps all of it in memory. */
const maxEventBytes = 16 * 1_048_576;
/**
 * Largest reply as it comes, with all that is around what is said: readers also keep what they give nothing for, such as
 * the arguments of a call that has no name yet. What is said has a limit of its own, and may take 30 times as much to be sent.
 */
const maxBodyBytes = 256 * 1_048_576;

export interface BodyBoundsOptions {
  /** Whether it is read event by event. */
  readonly isEventStream: boolean;
}

/**
 * Measures a reply as it comes: one of its events, or all of it, may be too large or have too many values.
 *
 * Values are counted byte by byte, which takes longer than all else that a delta costs, and one takes a byte at least: an
 * event is not counted before it has as many bytes as it may have values. Until then what came of it is kept.
 */
export class BodyBounds {
  readonly #lines = new LineFeeds(); // Whatever it says that it is: it may be read as events.
  readonly #options: BodyBoundsOptions;
  #measure: ReturnType<typeof messageMeter> | undefined;
  #bodyBytes = 0;
  /** Pieces of the event that has not ended. */
  #open: Uint8Array[] = [];
  #openBytes = 0;

  constructor(options: BodyBoundsOptions) {
    this.#options = options;
  }

  /** What came, its lines with one kind of end; `undefined`: with it the reply is too large. */
  take(received: Uint8Array): Uint8Array | undefined {
    this.#bodyBytes += received.byteLength;
    const chunk = this.#lines.take(received);
    return this.#bodyBytes <= maxBodyBytes && this.#isWithin(chunk) ? chunk : undefined;
  }

  #isWithin(chunk: Uint8Array): boolean {
    if (this.#measure !== undefined) return isAllowed(this.#measure(chunk));
    if (this.#openBytes + chunk.length < maxJsonValues) {
      this.#keep(chunk);
      return true;
    }
    const measure = messageMeter(this.#options);
    this.#measure = measure;
    const pieces = [...this.#open, chunk];
    this.#open = [];
    return pieces.every((piece) => isAllowed(measure(piece)));
  }

  #keep(chunk: Uint8Array): void {
    const end = this.#options.isEventStream ? this.#endOfEvents(chunk) : 0;
    if (end > 0) {
      this.#open = [];
      this.#openBytes = 0;
    }
    if (end === chunk.length) return;
    this.#open.push(end === 0 ? chunk : chunk.subarray(end));
    this.#openBytes += chunk.length - end;
  }

  /** Where the last event ends that ends in a chunk, with an empty line; 0: none does. */
  #endOfEvents(chunk: Uint8Array): number {
    for (let at = chunk.lastIndexOf(lineFeed); at > 0; at = chunk.lastIndexOf(lineFeed, at - 1))
      if (chunk[at - 1] === lineFeed) return at + 1;
    return chunk[0] === lineFeed && this.#open.at(-1)?.at(-1) === lineFeed ? 1 : 0;
  }
}

function isAllowed({ sizeBytes, values }: { readonly sizeBytes: number; readonly values: number }): boolean {
  return sizeBytes <= maxEventBytes && values <= maxJsonValues;
}

const lineFeed = 10;
