import { ProcessTerminal } from "@earendil-works/pi-tui";

const begin = "\u001B[200~";
const end = "\u001B[201~";
/** So much does nobody type at once: it was pasted in a terminal that does not say so. */
const maxTyped = 1_000;
/** The rest of a larger paste is dropped: nobody could send it. */
const maxPasted = 32 * 1_048_576;
/** A paste whose end does not come ends so much after its last piece. */
const pasteEndsMs = 2_000;

/**
 * The terminal of the process. A paste comes from it in one piece: the library would look through all of it again with each of the
 * thousands of pieces in which it is read.
 */
export class PastingTerminal extends ProcessTerminal {
  #library: unknown;
  #onInput: (data: string) => void = () => {};
  #pasted: string[] | undefined;
  #size = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onData = (data: unknown): void => this.#take(String(data));

  override start(onInput: (data: string) => void, onResize: () => void): void {
    const before = new Set<unknown>(process.stdin.listeners("data"));
    this.#onInput = onInput;
    super.start(onInput, onResize);
    for (const listener of process.stdin.rawListeners("data")) {
      if (before.has(listener)) continue;
      this.#library = listener;
      process.stdin.off("data", listener);
    }
    process.stdin.on("data", this.#onData);
  }

  override stop(): void {
    process.stdin.off("data", this.#onData);
    this.#endPaste();
    super.stop();
  }

  #take(data: string): void {
    let rest = data;
    while (rest !== "") {
      if (this.#pasted === undefined) {
        const at = rest.indexOf(begin);
        this.#pass(at === -1 ? rest : rest.slice(0, at));
        if (at === -1) return;
        this.#pasted = [];
        this.#size = 0;
        rest = rest.slice(at + begin.length);
      }
      rest = this.#takePasted(rest);
    }
  }

  /** What is behind the end of the paste. */
  #takePasted(data: string): string {
    const pasted = this.#pasted ?? [];
    clearTimeout(this.#timer);
    // The mark of the end may be cut.
    const held = pasted.length === 0 ? "" : (pasted.pop() ?? "");
    const piece = held + data;
    const at = piece.indexOf(end);
    const text = at === -1 ? piece.slice(0, Math.max(0, piece.length - end.length)) : piece.slice(0, at);
    if (this.#size < maxPasted) pasted.push(text);
    this.#size += text.length;
    if (at === -1) {
      pasted.push(piece.slice(text.length));
      this.#timer = setTimeout(() => this.#endPaste(), pasteEndsMs);
      return "";
    }
    this.#endPaste();
    return piece.slice(at + end.length);
  }

  #endPaste(): void {
    clearTimeout(this.#timer);
    const pasted = this.#pasted;
    this.#pasted = undefined;
    if (pasted !== undefined) this.#onInput(`${begin}${pasted.join("")}${end}`);
  }

  #pass(data: string): void {
    if (data === "") return;
    if (data.length > maxTyped && !data.includes("\u001B")) return this.#onInput(`${begin}${data}${end}`);
    if (typeof this.#library === "function") Reflect.apply(this.#library, process.stdin, [data]);
  }
}
