/** Longest answer to a question; more is not taken. */
const maxLength = 200;

const keySequence = /\u001B(?:\[[0-?]*[ -/]*[@-~]|O.|.)?/gs; // oxlint-disable-line no-control-regex -- keys are

/** How the keys came to an end; `undefined` from `type`: they did not. */
export type AnswerEnd = { readonly kind: "answer"; readonly text: string } | { readonly kind: "interrupt" | "end" };

/** The line in which a person answers a question: letters, a key that takes the last one back, and Enter. */
export class AnswerLine {
  readonly #echo: (text: string) => void;
  #text = "";

  constructor(echo: (text: string) => void) {
    this.#echo = echo;
  }

  /** What stands behind the end is dropped: it answers no other question. */
  type(keys: string): AnswerEnd | undefined {
    for (const key of Array.from(keys.replaceAll(keySequence, ""))) {
      if (key === "\r" || key === "\n") return { kind: "answer", text: this.#text };
      if (key === "\u0003") return { kind: "interrupt" };
      if (key === "\u0004" && this.#text === "") return { kind: "end" };
      if (key === "\u007F" || key === "\b") this.#takeBack(1);
      else if (key === "\u0015") this.#takeBack(this.#text.length);
      else if (/^[ -~]$/.test(key) && this.#text.length < maxLength) {
        this.#text += key;
        this.#echo(key);
      }
    }
    return undefined;
  }

  #takeBack(count: number): void {
    const taken = Math.min(count, this.#text.length);
    this.#text = this.#text.slice(0, this.#text.length - taken);
    this.#echo("\b \b".repeat(taken));
  }
}
