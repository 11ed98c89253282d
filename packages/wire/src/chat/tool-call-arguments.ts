import { secureJson } from "../json/secure-json.ts";

const [brace, bracket] = ["{".charCodeAt(0), "[".charCodeAt(0)];
const [braceEnd, bracketEnd] = ["}".charCodeAt(0), "]".charCodeAt(0)];
const [quote, backslash] = ['"'.charCodeAt(0), "\\".charCodeAt(0)];

export function opensValue(text: string | null | undefined): boolean {
  return typeof text === "string" && /^[{[]/.test(text.trimStart());
}

/** Completeness is determined by brackets, not a parser: a valid number may be the start of a longer one. */
export class ToolCallArguments {
  readonly #pieces: string[] = [];
  /** In UTF-16 units; once complete, the length of the object or array. */
  #wholeLength = 0;
  #open: number[] | undefined;
  #state: "before" | "within" | "string" | "escape" | "whole" | "other" = "before";

  get isWhole(): boolean {
    return this.#state === "whole";
  }

  /** Without a placeholder object before, and without a repetition after. */
  get text(): string {
    const joined = this.#pieces.join("");
    if (!this.isWhole || joined.length === this.#wholeLength || parsed(joined) !== undefined) return joined;
    const [first, behind] = [joined.slice(0, this.#wholeLength), joined.slice(this.#wholeLength)];
    const [value, others] = [parsed(first), parsed(behind)];
    const said = typeof others === "string" ? parsed(others) : others;
    if (said === undefined) return joined;
    if (/^\s*\{\s*\}$/.test(first) && behind.trimStart().startsWith("{")) return behind;
    return JSON.stringify(said) === JSON.stringify(value) ? first : joined;
  }

  add(piece: string): void {
    this.#pieces.push(piece);
    for (let at = 0; at < piece.length && this.#state !== "whole" && this.#state !== "other"; at += 1) {
      this.#take(piece.charCodeAt(at));
      this.#wholeLength += 1;
    }
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
