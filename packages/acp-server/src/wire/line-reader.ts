const lineFeed = 0x0a;

export type ReadLine =
  | { readonly kind: "line"; readonly text: string }
  /** A line over the limit, whose content was dropped. */
  | { readonly kind: "too-long" };

/** Lines over `maxBytes` are dropped as they arrive, without using memory. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder();
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #isTooLong = false;

  constructor({ maxBytes }: { readonly maxBytes: number }) {
    this.#maxBytes = maxBytes;
  }

  *take(chunk: Uint8Array): Generator<ReadLine> {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#keep(chunk.subarray(start, end));
      start = end + 1;
      yield this.#endLine();
    }
    this.#keep(chunk.subarray(start));
  }

  *end(): Generator<ReadLine> {
    if (this.#pendingBytes > 0 || this.#isTooLong) yield this.#endLine();
  }

  #keep(bytes: Uint8Array): void {
    if (this.#isTooLong || bytes.byteLength === 0) return;
    this.#pendingBytes += bytes.byteLength;
    this.#isTooLong = this.#pendingBytes > this.#maxBytes;
    if (this.#isTooLong) this.#pending = [];
    else this.#pending.push(bytes);
  }

  #endLine(): ReadLine {
    const isTooLong = this.#isTooLong;
    const [first = new Uint8Array(), ...rest] = this.#pending;
    const bytes = rest.length === 0 ? first : joined([first, ...rest], this.#pendingBytes);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#isTooLong = false;
    return isTooLong ? { kind: "too-long" } : { kind: "line", text: this.#decoder.decode(bytes) };
  }
}

function joined(parts: readonly Uint8Array[], sizeBytes: number): Uint8Array {
  const whole = new Uint8Array(sizeBytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
