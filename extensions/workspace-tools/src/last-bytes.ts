export class LastBytes {
  readonly #max: number;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  take(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    for (let first = this.#chunks[0]; first !== undefined && this.#size - first.length >= this.#max;) {
      this.#chunks.shift();
      this.#size -= first.length;
      first = this.#chunks[0];
    }
  }

  bytes(count: number): Uint8Array {
    const all = Buffer.concat(this.#chunks);
    return all.subarray(Math.max(0, all.length - Math.min(count, this.#max)));
  }
}
