export interface OutboxOptions {
  /** Resolves once the host has it. */
  readonly enter: (text: string) => Promise<void>;
  /** What could not be sent, and what waited behind it, in its order. */
  readonly onFailure: (error: unknown, texts: readonly string[]) => void;
}

/** What was entered, one after the other: what comes later overtakes nothing, and nothing is lost. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #waiting: string[] = [];
  #isOpen = false;
  #isBusy = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** What nobody has taken yet. */
  get waiting(): readonly string[] {
    return this.#waiting;
  }

  /** Removes what waits, and returns it in its order. */
  takeAll(): readonly string[] {
    return this.#waiting.splice(0);
  }

  add(text: string): void {
    this.#waiting.push(text);
    void this.#send();
  }

  /** Somebody is there who takes it. */
  open(): void {
    this.#isOpen = true;
    void this.#send();
  }

  async #send(): Promise<void> {
    if (!this.#isOpen || this.#isBusy) return;
    this.#isBusy = true;
    for (let text = this.#waiting.shift(); text !== undefined; text = this.#waiting.shift())
      try {
        await this.#options.enter(text);
      } catch (error) {
        this.#options.onFailure(error, [text, ...this.#waiting.splice(0)]);
      }
    this.#isBusy = false;
  }
}
