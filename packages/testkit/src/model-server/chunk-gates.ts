import type { RecordedRequest } from "./recorded-request.ts";

export class ChunkGates {
  readonly #waiting: (() => void)[] = [];
  readonly #ungated = new WeakSet<RecordedRequest>();
  #released = 0;

  get waitingChunks(): number {
    return this.#waiting.length;
  }

  /** Releases a gate, whether a reply waits for it already or not. */
  release(): void {
    const gate = this.#waiting.shift();
    if (gate === undefined) this.#released += 1;
    else gate();
  }

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
