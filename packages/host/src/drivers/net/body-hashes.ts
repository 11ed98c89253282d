import { sha256Hex } from "@incipit/common";
import type { NetBody } from "./net-request.ts";

/** Count, and total length in UTF-16 units. */
const maxKnown = 64;
const maxKnownLength = 4_194_304;
/** Below this length, hashing is as fast as a prefix lookup. */
const minLength = 8_192;
/** The next request of the conversation replaces these. */
const closingLength = "]}".length;
/** Texts of two conversations rarely share the same piece at the same offset. */
const sampleLength = 64;

interface KnownBeginning {
  readonly text: string;
  readonly hasher: Bun.CryptoHasher;
}

/** A request of a conversation usually starts with the previous one, so only the rest is hashed. */
export class BodyHashes {
  readonly #known: KnownBeginning[] = [];
  #knownLength = 0;

  of(body: NetBody): string {
    if (typeof body !== "string" || body.length < minLength) return sha256Hex(body);
    const before = this.#take(body);
    const end = beginningOf(body);
    const hasher =
      before === undefined
        ? new Bun.CryptoHasher("sha256").update(body.slice(0, end))
        : before.hasher.update(body.slice(before.text.length, end));
    this.#keep({ text: body.slice(0, end), hasher });
    return hasher.copy().update(body.slice(end)).digest("hex");
  }

  /** The caller adds a longer prefix. */
  #take(text: string): KnownBeginning | undefined {
    let longest: number | undefined;
    for (const [index, { text: known }] of this.#known.entries()) {
      if (longest !== undefined && known.length <= (this.#known[longest]?.text.length ?? 0)) continue;
      if (isBeginning(known, text)) longest = index;
    }
    const [found] = longest === undefined ? [] : this.#known.splice(longest, 1);
    this.#knownLength -= found?.text.length ?? 0;
    return found;
  }

  #keep(beginning: KnownBeginning): void {
    this.#known.push(beginning);
    this.#knownLength += beginning.text.length;
    while (this.#known.length > maxKnown || this.#knownLength > maxKnownLength)
      this.#knownLength -= this.#known.shift()?.text.length ?? 0;
  }
}

/** Never ends between the halves of a surrogate pair. */
function beginningOf(text: string): number {
  const end = text.length - closingLength;
  const code = text.charCodeAt(end);
  return code >= 0xdc_00 && code <= 0xdf_ff ? end - 1 : end;
}

function isBeginning(known: string, text: string): boolean {
  const { length } = known;
  if (length > text.length) return false;
  const from = Math.max(0, length - sampleLength);
  return known.slice(from) === text.slice(from, length) && text.startsWith(known);
}
