import { maxUnrecordedLength } from "./limits.ts";

/** Messages sent since the last record, which the next one begins with. */
export class UnrecordedLines {
  #lines: string[] = [];
  #length = 0;
  #leftOut = 0;

  add(line: string): void {
    // An agent may ask endlessly, and every answer counts.
    if (this.#length + line.length > maxUnrecordedLength) {
      this.#leftOut += 1;
      return;
    }
    this.#lines.push(line);
    this.#length += line.length;
  }

  with(line: string): { readonly body: string; readonly leftOut: number } {
    return { body: [...this.#lines, line].map((sent) => `${sent}\n`).join(""), leftOut: this.#leftOut };
  }

  clear(): void {
    this.#lines = [];
    this.#length = 0;
    this.#leftOut = 0;
  }
}
