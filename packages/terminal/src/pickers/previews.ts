import { clippedLine } from "@incipit/schema/text";

/** Read on first selection, one at a time. */
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

  of(value: string): readonly string[] | undefined {
    return this.#known.get(value);
  }

  /** Entries passed over are not read. */
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
        this.#known.set(value, [`No preview: ${clippedLine(why, { maxCharacters: 300 })}`]);
      }
      this.#isReading = false;
      this.#onRead();
    }
  }
}
