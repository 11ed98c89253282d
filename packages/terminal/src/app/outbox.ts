export interface OutboxOptions {
  /** Resolves once the host has the text. */
  readonly enter: (text: string) => Promise<void>;
  /** The failed text and those queued behind it, in order. */
  readonly onFailure: (error: unknown, texts: readonly string[]) => void;
}

export class Outbox {
  readonly #options: OutboxOptions;
  readonly #waiting: string[] = [];
  #isOpen = false;
  #isBusy = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  get waiting(): readonly string[] {
    return this.#waiting;
  }

  takeAll(): readonly string[] {
    return this.#waiting.splice(0);
  }

  add(text: string): void {
    this.#waiting.push(text);
    void this.#send();
  }

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
