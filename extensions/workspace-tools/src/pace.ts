/** Yields to other work in this process after each unit of work. */
export class Pace {
  #done = 0;

  isTurnOfOthers(share: number): boolean {
    this.#done += share;
    if (this.#done < 1) return false;
    this.#done = 0;
    return true;
  }
}

export async function yieldToEventLoop(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
}
