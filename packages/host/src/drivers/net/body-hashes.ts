import type { NetBody } from "./net-request.ts";

/** Beginnings that are known, and their length together in UTF-16 units: their texts are held for as long. */
const maxKnown = 64;
const maxKnownLength = 4_194_304;
/** A shorter one is hashed as fast as it is looked for. */
const minLength = 8_192;
/** Ends what only grows: the next body of a conversation has something else in its place. */
const closingLength = "]}".length;
/** Compared before the whole: texts of two conversations seldom have the same piece at the same place. */
const sampleLength = 64;

interface KnownBeginning {
  readonly text: string;
  readonly hasher: Bun.CryptoHasher;
}

/**
 * SHA-256 of bodies, of which most begin with one before: the request of a conversation is the one before it, without what
 * closes that, and what is new. Only that is hashed.
 */
export class BodyHashes {
  /** The newest last. */
  readonly #known: KnownBeginning[] = [];
  #knownLength = 0;

  /** The hash of a body's bytes, in hexadecimal. */
  of(body: NetBody): string {
    if (typeof body !== "string" || body.length < minLength)
      return new Bun.CryptoHasher("sha256").update(body).digest("hex");
    const before = this.#take(body);
    const end = beginningOf(body);
    const hasher =
      before === undefined
        ? new Bun.CryptoHasher("sha256").update(body.slice(0, end))
        : before.hasher.update(body.slice(before.text.length, end));
    this.#keep({ text: body.slice(0, end), hasher });
    return hasher.copy().update(body.slice(end)).digest("hex");
  }

  /** The longest beginning of a text that is known; it is not known any longer, for a longer one is. */
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

/** Where what may be another one next time begins; never between the halves of a character. */
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
