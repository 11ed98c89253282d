/** Maximum length of a message; further characters are ignored. */
const maxLength = 100_000;

const keySequence = /\u001B(?:\[[0-?]*[ -/]*[@-~]|O.|.)?/gs; // oxlint-disable-line no-control-regex -- keys are

export interface MessageLinesOptions {
  readonly prompt: string;
  readonly write: (text: string) => void;
  readonly onInterrupt: () => void;
}

/** For screen readers: keys append or delete the last character, and nothing on the screen is redrawn. */
export class MessageLines implements AsyncIterable<string> {
  readonly #options: MessageLinesOptions;
  readonly #entered: string[] = [];
  #text = "";
  #shown = "";
  #isPrompting = false;
  #isClosed = false;
  #wake: () => void = () => {};
  #empty = Promise.withResolvers<void>();

  constructor(options: MessageLinesOptions) {
    this.#options = options;
  }

  get isWriting(): boolean {
    return this.#text !== "" && !this.#isClosed;
  }

  /** Shows the message being typed; resolves once it was entered or deleted. */
  async whenEmpty(): Promise<void> {
    if (!this.isWriting) return;
    if (!this.#isPrompting) {
      this.#isPrompting = true;
      this.#shown = "";
      this.#options.write(this.#options.prompt);
      this.#show();
    }
    this.#empty = Promise.withResolvers<void>();
    await this.#empty.promise;
  }

  prompt(): void {
    const [entered] = this.#entered;
    this.#options.write(this.#options.prompt + (entered === undefined ? "" : `${entered}\n`));
    this.#isPrompting = entered === undefined;
    this.#shown = "";
    this.#show();
  }

  promptAgain(): void {
    if (this.#isPrompting) this.prompt();
  }

  type(keys: string): void {
    for (const key of Array.from(keys.replaceAll(keySequence, ""))) {
      if (this.#isClosed) return;
      if (key === "\r" || key === "\n") this.#enter();
      else if (key === "\u0003") this.#options.onInterrupt();
      else if (key === "\u0004" && this.#text === "") this.close();
      else if (key === "\u007F" || key === "\b") this.#takeBack(1);
      else if (key === "\u0015") this.#takeBack(this.#text.length);
      else if (!/\p{Cc}/u.test(key)) this.#append(key);
    }
    this.#show();
  }

  add(text: string): void {
    this.#append(text);
    this.#show();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#isPrompting) this.#options.write("\n");
    this.#isPrompting = false;
    this.#wake();
    this.#empty.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<string> {
    for (;;) {
      const line = this.#entered.shift();
      if (line !== undefined) yield line;
      else if (this.#isClosed) return;
      else {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#wake = resolve;
        await promise;
      }
    }
  }

  #append(text: string): void {
    if (this.#text.length + text.length <= maxLength) this.#text += text;
  }

  #enter(): void {
    this.#show();
    if (this.#isPrompting) this.#options.write("\n");
    this.#isPrompting = false;
    this.#entered.push(this.#text);
    this.#text = "";
    this.#shown = "";
    this.#wake();
    this.#empty.resolve();
  }

  #takeBack(count: number): void {
    this.#show();
    const letters = Array.from(this.#text);
    const taken = letters.splice(Math.max(0, letters.length - count)).join("");
    this.#text = letters.join("");
    if (this.#text === "") this.#empty.resolve();
    if (!this.#isPrompting) return;
    this.#options.write("\b \b".repeat(Bun.stringWidth(taken)));
    this.#shown = this.#text;
  }

  #show(): void {
    if (!this.#isPrompting) return;
    const added = this.#text.slice(this.#shown.length);
    if (added !== "") this.#options.write(added);
    this.#shown = this.#text;
  }
}
