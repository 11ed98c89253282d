const lineFeed = 10;
const carriageReturn = 13;

/**
 * Normalizes CRLF and CR to LF in a stream of text, for event stream parsers that search for the next CR at each
 * line: a single CR after many lines costs quadratic time. A chunk may end between CR and LF.
 */
export class LineFeeds {
  #isBehindReturn = false;

  take(chunk: Uint8Array): Uint8Array {
    if (!this.#isBehindReturn && !chunk.includes(carriageReturn)) return chunk;
    const kept = new Uint8Array(chunk.length);
    let length = 0;
    for (const byte of chunk) {
      if (byte !== lineFeed || !this.#isBehindReturn) {
        kept[length] = byte === carriageReturn ? lineFeed : byte;
        length += 1;
      }
      this.#isBehindReturn = byte === carriageReturn;
    }
    return kept.subarray(0, length);
  }
}
