import { joined } from "./merge-spans.ts";
import { PairTable } from "./pair-table.ts";
import { longestWritten, nothing, PlainRuns, PlainText } from "./plain-text.ts";
import type { Rule, Span } from "./rule.ts";
import { minFormLength, secretForms, type SecretForm } from "./secret-forms.ts";

/** Longest encoded character: `\u0041`, with each of its characters encoded again in the same way. */
const writtenLength = 36;
/** Maximum lookback; a longer encoded secret may be missed at the boundary of two requests. */
const maxOverlap = 16_384;

/** The host's mark of truncated text. */
const cutMark = "…";

/** Bit of the last character pair of a form's prefix. */
const lastPair = 1 << (minFormLength - 2);

/**
 * Finds known secret values in each of their forms and in any encoding that `PlainText` decodes.
 *
 * Searches for all forms of all secrets in one pass, and compares a form only where all character pairs of its prefix
 * match, so the cost does not depend on the number of secrets.
 */
export function secretsRule(kind: string, secrets: readonly string[]): Rule {
  const forms = secrets.flatMap(secretForms);
  const table = new PairTable(forms.map(({ text }) => text.slice(0, minFormLength)));
  // No form is longer than the hexadecimal one.
  const longest = Math.max(minFormLength, ...forms.map(({ text }) => text.length));
  return {
    kind,
    overlap: Math.min(maxOverlap, (longest + 2 * minFormLength) * writtenLength),
    find: (text, from) => {
      if (secrets.length === 0) return [];
      // Verbatim, because a preceding backslash that is not an escape would change the first character.
      const found = secrets.flatMap((secret) => occurrences(text, secret, from));
      for (const start of candidates(text, { from: Math.max(0, from - longestWritten), table })) {
        found.push(...spansAt(text, start, forms).filter((span) => span.start >= from));
      }
      return joined(found);
    },
  };
}

/**
 * Returns offsets where all character pairs of a form's prefix match in order. Skips most characters, since most
 * pairs occur in no form: a match must begin after the first character of such a pair.
 */
function candidates(
  text: string,
  { from, table }: { readonly from: number; readonly table: PairTable },
): readonly number[] {
  const found: number[] = [];
  const reader = new PlainText(text, from);
  const runs = new PlainRuns(text);
  const starts = new LastStarts();
  let before = nothing;
  let state = 0;
  for (let place = from; place < text.length;) {
    const runStart = place;
    const end = reader.isAhead ? place : runs.endFrom(place);
    while (place < end) {
      if (state === 0) {
        const skipFrom = place;
        while (
          place + minFormLength - 2 < end &&
          table.bitsOf(text.charCodeAt(place + minFormLength - 3), text.charCodeAt(place + minFormLength - 2)) === 0
        )
          place += minFormLength - 1;
        if (place > skipFrom) before = text.charCodeAt(place - 1);
        if (place === end) break;
      }
      const code = text.charCodeAt(place);
      place += 1;
      state = ((state << 1) | 1) & table.bitsOf(before, code);
      before = code;
      if ((state & lastPair) !== 0) found.push(starts.before(runStart, place - runStart));
    }
    starts.addRun(runStart, end);
    if (place === text.length) break;
    const start = place;
    reader.place = place;
    const code = reader.next();
    ({ place } = reader);
    if (code === nothing) continue;
    starts.addRun(start, start + 1);
    state = ((state << 1) | 1) & table.bitsOf(before, code);
    before = code;
    if ((state & lastPair) !== 0) found.push(starts.before(place, 0));
  }
  return found;
}

/** Start offsets of the last characters, as many as a form's prefix has, by number. */
class LastStarts {
  readonly #starts = new Int32Array(minFormLength);
  #count = 0;

  addRun(start: number, end: number): void {
    for (let place = Math.max(start, end - minFormLength); place < end; place += 1) {
      this.#starts[this.#count % minFormLength] = place;
      this.#count += 1;
    }
  }

  /** Returns the start of a prefix whose last `length` characters are in the run from `runStart` on. */
  before(runStart: number, length: number): number {
    if (length >= minFormLength) return runStart + length - minFormLength;
    const number = this.#count - (minFormLength - length);
    return number < 0 ? 0 : (this.#starts[number % minFormLength] ?? 0);
  }
}

/** With adjacent characters that contain bits of the secret. */
function spansAt(text: string, start: number, forms: readonly SecretForm[]): readonly Span[] {
  return forms.flatMap((form) => {
    const end = endOf(text, start, form.text);
    if (end === undefined) return [];
    const before = text.slice(Math.max(0, start - form.before), start);
    const behind = text.slice(end, end + form.behind);
    return [{ start: start - lengthOf(base64Before, before), end: end + lengthOf(base64Behind, behind) }];
  });
}

/** A truncated text, such as an error message, matches if enough of the form is present. */
function endOf(text: string, start: number, form: string): number | undefined {
  const reader = new PlainText(text, start);
  for (let index = 0; index < form.length;) {
    const { place } = reader;
    const canBeCut = index >= minFormLength;
    if (place >= text.length) return canBeCut ? text.length : undefined;
    const code = reader.next();
    if (code === nothing) continue;
    if (code !== form.charCodeAt(index)) return canBeCut && text[place] === cutMark ? place : undefined;
    index += 1;
  }
  return reader.place;
}

const base64Before = /[A-Za-z0-9+/_-]*$/;
const base64Behind = /^[A-Za-z0-9+/_-]*={0,2}/;

function lengthOf(pattern: RegExp, text: string): number {
  const [found = ""] = pattern.exec(text) ?? [];
  return found.length;
}

function occurrences(text: string, secret: string, from: number): Span[] {
  const found: Span[] = [];
  for (let start = text.indexOf(secret, from); start !== -1; start = text.indexOf(secret, start + secret.length))
    found.push({ start, end: start + secret.length });
  return found;
}
