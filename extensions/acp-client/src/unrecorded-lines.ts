import { maxUnrecordedLength } from "./limits.ts";

/** The messages that have left for an agent since the last one that was recorded: the next record begins with them. */
export class UnrecordedLines {
  #lines: string[] = [];
  #length = 0;
  #leftOut = 0;

  add(line: string): void {
    // An agent that asks and asks is answered each time; nobody reads all of that.
    if (this.#length + line.length > maxUnrecordedLength) {
      this.#leftOut += 1;
      return;
    }
    this.#lines.push(line);
    this.#length += line.length;
  }

  /** What is recorded with a message that is about to leave, byte for byte as it is sent. */
  with(line: string): { readonly body: string; readonly leftOut: number } {
    return { body: [...this.#lines, line].map((sent) => `${sent}\n`).join(""), leftOut: this.#leftOut };
  }

  clear(): void {
    this.#lines = [];
    this.#length = 0;
    this.#leftOut = 0;
  }
}
