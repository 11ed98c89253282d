const lineFeed = 10;
const carriageReturn = 13;

/**
 * A stream of text with one kind of line end: CRLF, and CR alone, become LF. A chunk may end between the two of them.
 *
 * For streams of events, whose readers look for the next CR anew at each line: with one of them behind many lines, that takes
 * the square of what has come.
 */
export class LineFeeds {
  #isBehindReturn = false;

  take(chunk: Uint8Array): Uint8Array {
    if (!this.#isBehindReturn && !chunk.includes(carriageReturn)) return chunk; // Nearly all.
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
