import { secureJson } from "../json/secure-json.ts";

const [brace, bracket] = ["{".charCodeAt(0), "[".charCodeAt(0)];
const [braceEnd, bracketEnd] = ["}".charCodeAt(0), "]".charCodeAt(0)];
const [quote, backslash] = ['"'.charCodeAt(0), "\\".charCodeAt(0)];

/** Whether a text begins as an object or a list of JSON does. */
export function opensValue(text: string | null | undefined): boolean {
  return typeof text === "string" && /^[{[]/.test(text.trimStart());
}

/**
 * The arguments of one call as they come. Whether they hold a whole object or list is told by its brackets, not by a parser: a
 * number that can be read may be the beginning of a longer one.
 */
export class ToolCallArguments {
  #pieces: string[] = [];
  /** What is open, by its end; `undefined`: nothing has begun. */
  #open: number[] | undefined;
  #state: "before" | "within" | "string" | "escape" | "whole" | "other" = "before";

  get isWhole(): boolean {
    return this.#state === "whole";
  }

  get text(): string {
    return this.#pieces.join("");
  }

  /** They are an empty object, which may be a placeholder. */
  get isEmpty(): boolean {
    return this.isWhole && this.#pieces.length < 8 && /^\s*\{\s*\}\s*$/.test(this.text);
  }

  /** Whether a text says them once more, as JSON or as JSON in a text of JSON. */
  repeats(text: string): boolean {
    if (!this.isWhole || !/^\s*["{[]/.test(text)) return false;
    const value = parsed(text);
    const inner = typeof value === "string" ? parsed(value) : value;
    return inner !== undefined && JSON.stringify(inner) === JSON.stringify(parsed(this.text));
  }

  add(piece: string): void {
    if (this.isWhole && piece.trim() !== "") {
      if (this.repeats(piece)) return;
      if (this.isEmpty && opensValue(piece)) this.#restart();
    }
    this.#pieces.push(piece);
    for (let at = 0; at < piece.length && this.#state !== "whole" && this.#state !== "other"; at += 1)
      this.#take(piece.charCodeAt(at));
  }

  #restart(): void {
    this.#pieces = [];
    this.#state = "before";
  }

  #take(code: number): void {
    if (this.#state === "escape") this.#state = "string";
    else if (this.#state === "string") {
      if (code === backslash) this.#state = "escape";
      else if (code === quote) this.#state = "within";
    } else if (this.#state === "before") this.#begin(code);
    else if (code === quote) this.#state = "string";
    else if (code === brace || code === bracket) this.#open?.push(endOf(code));
    else if (code === braceEnd || code === bracketEnd) this.#close(code);
  }

  #begin(code: number): void {
    if (/\s/.test(String.fromCharCode(code))) return;
    const isValue = code === brace || code === bracket;
    this.#state = isValue ? "within" : "other";
    if (isValue) this.#open = [endOf(code)];
  }

  #close(code: number): void {
    if (this.#open?.pop() !== code) this.#state = "other";
    else if (this.#open.length === 0) this.#state = "whole";
  }
}

function parsed(text: string): unknown {
  try {
    return secureJson(text);
  } catch {
    return undefined;
  }
}

function endOf(code: number): number {
  return code === brace ? braceEnd : bracketEnd;
}
