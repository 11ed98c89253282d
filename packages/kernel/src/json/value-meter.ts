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
