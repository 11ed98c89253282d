import { cutToBytes } from "@incipit/common";
import { maxResultBytes } from "./limits.ts";
import { yieldToEventLoop, Pace } from "./pace.ts";
import type { SearchPattern } from "./search-pattern.ts";
import { formatPath } from "./format-path.ts";

const maxMatches = 500;
const maxShownBytes = 400;
/** Leaves room for notes. */
const maxMatchBytes = maxResultBytes - 6_000;
const lineShare = 0.002;
const bytesAtOnce = 8_388_608;

export class MatchingLines {
  readonly lines: string[] = [];
  readonly notes: string[] = [];
  readonly #pattern: SearchPattern;
  readonly #pace = new Pace();
  #roomBytes = maxMatchBytes;
  #hasLongLines = false;

  constructor(pattern: SearchPattern) {
    this.#pattern = pattern;
  }

  async look(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<boolean> {
    if (this.#pace.isTurnOfOthers(lineShare + bytes.length / bytesAtOnce)) await yieldToEventLoop(signal);
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (this.#pattern.bytes !== undefined && !file.includes(this.#pattern.bytes)) return true;
    if (file.includes(0)) return true;
    // Invalid UTF-8 becomes U+FFFD: most of such a text is still readable.
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    let number = 0;
    for (let start = 0; start < text.length;) {
      const found = text.indexOf("\n", start);
      const end = found === -1 ? text.length : found;
      const line = this.#searched(text.slice(start, end).replace(found === -1 ? /$^/ : /\r$/, ""));
      start = end + 1;
      number += 1;
      const share = lineShare + line.length / this.#pattern.maxLineLength;
      if (this.#pace.isTurnOfOthers(share)) await yieldToEventLoop(signal);
      if (this.#pattern.compiled.test(line) && !this.#add(`${formatPath(path)}:${number}: ${this.#shown(line)}`))
        return false;
    }
    return true;
  }

  #add(match: string): boolean {
    this.#roomBytes -= Buffer.byteLength(match) + 1;
    if (this.lines.length === maxMatches || this.#roomBytes < 0) {
      this.notes.push(`[cut: there are more than ${this.lines.length} matches; search for something narrower]`);
      return false;
    }
    this.lines.push(match);
    return true;
  }

  #searched(line: string): string {
    const { maxLineLength } = this.#pattern;
    if (line.length <= maxLineLength) return line;
    if (!this.#hasLongLines)
      this.notes.push(`[of longer lines, the first ${maxLineLength} characters were searched]`);
    this.#hasLongLines = true;
    return line.slice(0, maxLineLength);
  }

  #shown(line: string): string {
    if (Buffer.byteLength(line) <= maxShownBytes) return line;
    const matcher = this.#pattern.compiled.matcher(line);
    matcher.find();
    const from = Math.max(0, matcher.start() - 80);
    return `${from > 0 ? "…" : ""}${cutToBytes(line.slice(from), maxShownBytes)}…`;
  }
}
