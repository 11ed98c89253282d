import { clippedLine } from "@incipit/host/text";

/** What there is to see of each entry, read when somebody first stands on it, and of one at a time. */
export class Previews {
  readonly #read: (value: string) => Promise<readonly string[]> | readonly string[];
  readonly #onRead: () => void;
  readonly #known = new Map<string, readonly string[]>();
  #wanted: string | undefined;
  #isReading = false;

  constructor(read: (value: string) => Promise<readonly string[]> | readonly string[], onRead: () => void) {
    this.#read = read;
    this.#onRead = onRead;
  }

  /** `undefined`: it is being read. */
  of(value: string): readonly string[] | undefined {
    return this.#known.get(value);
  }

  /** Somebody stands on an entry. Of those that they only passed nothing is read. */
  want(value: string | undefined): void {
    this.#wanted = value;
    if (!this.#isReading) void this.#readWanted();
  }

  async #readWanted(): Promise<void> {
    for (;;) {
      const value = this.#wanted;
      if (value === undefined || this.#known.has(value)) return;
      this.#isReading = true;
      try {
        const lines = this.#read(value);
        this.#known.set(value, lines instanceof Promise ? await lines : lines);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        this.#known.set(value, [`It cannot be shown: ${clippedLine(why, { maxCharacters: 300 })}`]);
      }
      this.#isReading = false;
      this.#onRead();
    }
  }
}
