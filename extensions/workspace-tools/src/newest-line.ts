import type { Tool } from "@incipit/service-contract";

type TellProgress = NonNullable<Parameters<Tool["execute"]>[1]["tellProgress"]>;

const maxLength = 300;

export class NewestLine {
  readonly #tell: TellProgress;
  readonly #decoder = new TextDecoder();
  #open = "";
  #last = "";
  #count = 0;

  constructor(tell: TellProgress) {
    this.#tell = tell;
  }

  take(bytes: Uint8Array): void {
    const lines = (this.#open + this.#decoder.decode(bytes, { stream: true })).split(/\r?\n/);
    this.#open = (lines.pop() ?? "").slice(-maxLength);
    this.#count += lines.length;
    this.#last = lines.findLast((line) => line.trim() !== "") ?? this.#last;
    // A redrawn progress bar is one line, of which the latest state counts.
    const shown = (this.#open.trim() === "" ? this.#last : this.#open)
      .split("\r")
      .findLast((part) => part.trim() !== "");
    if (shown !== undefined) this.#tell({ progress: this.#count, message: shown.slice(0, maxLength).trim() });
  }
}
