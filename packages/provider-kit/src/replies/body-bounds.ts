import { LineFeeds, maxJsonValues, messageMeter } from "@incipit/kernel";

/** Limit of one event, or of a reply without events, which the reader buffers completely. */
const maxEventBytes = 16 * 1_048_576;
/**
 * Readers also buffer data without output, such as the arguments of a call without a name. Output has its own limit,
 * and may be 30 times as large on the wire.
 */
const maxBodyBytes = 256 * 1_048_576;

export interface BodyBoundsOptions {
  readonly isEventStream: boolean;
}

/**
 * Counting values byte by byte takes longer than all other processing of a delta. A value takes at least a byte, so an
 * event is not counted before it has as many bytes as the limit of values; until then its chunks are buffered.
 */
export class BodyBounds {
  readonly #lines = new LineFeeds(); // Regardless of its content type, it may be read as events.
  readonly #options: BodyBoundsOptions;
  #measure: ReturnType<typeof messageMeter> | undefined;
  #bodyBytes = 0;
  #open: Uint8Array[] = [];
  #openBytes = 0;

  constructor(options: BodyBoundsOptions) {
    this.#options = options;
  }

  /** Normalizes line ends; `undefined` if the reply exceeds a limit. */
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

/** Limit of the arguments of all calls in a reply, in UTF-16 units; they are buffered until the end. */
export const maxArgumentsLength = 8 * 1_048_576;

/** Readers buffer chunks without output invisibly. Vendors send a few hundred for a hidden part. */
export const maxSilentParts = 100_000;

interface BoundedBodyOptions extends BodyBoundsOptions {
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
