/** Tells when others in this process are to have their turn: each time all that is done at once has been done. */
export class Pace {
  #done = 0;

  /** @param share How much of what is done at once is done now. */
  isTurnOfOthers(share: number): boolean {
    this.#done += share;
    if (this.#done < 1) return false;
    this.#done = 0;
    return true;
  }
}

/** Lets others have their turn. @throws the signal's reason. */
export async function letOthersIn(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
}
