import type { RecordedRequest } from "./recorded-request.ts";

/** Holds chunks of gated replies and releases them one at a time. */
export class ChunkGates {
  readonly #waiting: (() => void)[] = [];
  readonly #ungated = new WeakSet<RecordedRequest>();
  #released = 0;

  get waitingChunks(): number {
    return this.#waiting.length;
  }

  /** Releases the next chunk, waiting or future. */
  release(): void {
    const gate = this.#waiting.shift();
    if (gate === undefined) this.#released += 1;
    else gate();
  }

  /** Releases all chunks of the replies to these requests. */
  open(requests: readonly RecordedRequest[]): void {
    for (const request of requests) this.#ungated.add(request);
    for (const gate of this.#waiting.splice(0)) gate();
  }

  async pass(request: RecordedRequest): Promise<void> {
    if (this.#ungated.has(request)) return;
    if (this.#released > 0) {
      this.#released -= 1;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
