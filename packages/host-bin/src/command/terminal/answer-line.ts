/** A short answer, and free text; further characters are ignored. */
const maxLength = 200;
const maxTextLength = 4_000;

const keySequence = /\u001B(?:\[[0-?]*[ -/]*[@-~]|O.|.)?/gs; // oxlint-disable-line no-control-regex -- keys are

export type AnswerEnd = { readonly kind: "answer"; readonly text: string } | { readonly kind: "interrupt" | "end" };

/** Knows characters, backspace and Enter. */
export class AnswerLine {
  readonly #echo: (text: string) => void;
  readonly #takesText: boolean;
  #text = "";

  /** `takesText`: accepts any characters, not only those of a yes or a no. */
  constructor(echo: (text: string) => void, { takesText = false }: { readonly takesText?: boolean } = {}) {
    this.#echo = echo;
    this.#takesText = takesText;
  }

  get text(): string {
    return this.#text;
  }

  /**
   * Text after the line end never answers a later question. For a yes-or-no question it invalidates the answer:
   * simultaneous lines were pasted.
   */
  type(keys: string): AnswerEnd | undefined {
    const typed = Array.from(keys.replaceAll(keySequence, "").replaceAll("\r\n", "\r"));
    for (const [index, key] of typed.entries()) {
      if (key === "\r" || key === "\n") return this.#ended(typed.slice(index).join(""));
      if (key === "\u0003") return { kind: "interrupt" };
      if (key === "\u0004" && this.#text === "") return { kind: "end" };
      if (key === "\u007F" || key === "\b") this.#takeBack(1);
      else if (key === "\u0015") this.#takeBack(this.#text.length);
      else if (this.#isTaken(key)) {
        this.#text += key;
        this.#echo(key);
      }
    }
    return undefined;
  }

  #ended(rest: string): AnswerEnd {
    const isOneLine = this.#takesText || rest.length === 1;
    return { kind: "answer", text: isOneLine ? this.#text : `${this.#text}${rest}` };
  }

  #isTaken(key: string): boolean {
    if (!this.#takesText) return /^[ -~]$/.test(key) && this.#text.length < maxLength;
    // No control or invisible characters.
    return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(key) && this.#text.length < maxTextLength;
  }

  #takeBack(count: number): void {
    const letters = Array.from(this.#text);
    const taken = letters.splice(Math.max(0, letters.length - count));
    this.#text = letters.join("");
    this.#echo("\b \b".repeat(Bun.stringWidth(taken.join(""))));
  }
}
