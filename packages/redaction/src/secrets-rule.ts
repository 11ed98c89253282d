import { joined } from "./joined.ts";
import { PairTable } from "./pair-table.ts";
import { longestWritten, nothing, PlainRuns, PlainText } from "./plain-text.ts";
import type { Rule, Span } from "./rule.ts";
import { minFormLength, secretForms, type SecretForm } from "./secret-forms.ts";

/** A character may take so many to be written: `\u0041`, where another one writes each of these so. */
const writtenLength = 36;
/** Longest that is looked back; a secret that takes more may be missed where two requests part. */
const maxOverlap = 16_384;

/** What the host puts where it has cut a text off. */
const cutMark = "…";

/** Bit of the last pair at the beginning of a form. */
const lastPair = 1 << (minFormLength - 2);

/**
 * Finds what somebody knows to be secret in each of its forms, however it was put into other texts: as `PlainText` reads them.
 *
 * All forms of all secrets are looked for at once: where all pairs of the beginning of some form follow each other, it is
 * compared as a whole. So a text costs the same for one secret as for a hundred.
 */
export function secretsRule(kind: string, secrets: readonly string[]): Rule {
  const forms = secrets.flatMap(secretForms);
  const table = new PairTable(forms.map(({ text }) => text.slice(0, minFormLength)));
  // No secret is longer than what it is in hexadecimal.
  const longest = Math.max(minFormLength, ...forms.map(({ text }) => text.length));
  return {
    kind,
    overlap: Math.min(maxOverlap, (longest + 2 * minFormLength) * writtenLength),
    find: (text, from) => {
      if (secrets.length === 0) return [];
      // As it is: a backslash in front of it, which is no escape there, would change its first character.
      const found = secrets.flatMap((secret) => occurrences(text, secret, from));
      for (const start of candidates(text, { from: Math.max(0, from - longestWritten), table })) {
        found.push(...spansAt(text, start, forms).filter((span) => span.start >= from));
      }
      return joined(found);
    },
  };
}

/**
 * Places where all pairs of some form's beginning follow each other, each at its own number. Most pairs stand in no form, so
 * most characters are not looked at: what has such a pair where its last one would be begins behind that pair's first.
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

/** Where the last characters began, as many as the beginning of a form has; by their number. */
class LastStarts {
  readonly #starts = new Int32Array(minFormLength);
  #count = 0;

  /** Characters that are what they look like. */
  addRun(start: number, end: number): void {
    for (let place = Math.max(start, end - minFormLength); place < end; place += 1) {
      this.#starts[this.#count % minFormLength] = place;
      this.#count += 1;
    }
  }

  /** Where a beginning began of which the last `length` characters stand in the run from `runStart` on. */
  before(runStart: number, length: number): number {
    if (length >= minFormLength) return runStart + length - minFormLength;
    const number = this.#count - (minFormLength - length);
    return number < 0 ? 0 : (this.#starts[number % minFormLength] ?? 0);
  }
}

/** Whatever forms begin there, with the characters beside them that tell something of the secret as well. */
function spansAt(text: string, start: number, forms: readonly SecretForm[]): readonly Span[] {
  return forms.flatMap((form) => {
    const end = endOf(text, start, form.text);
    if (end === undefined) return [];
    const before = text.slice(Math.max(0, start - form.before), start);
    const behind = text.slice(end, end + form.behind);
    return [{ start: start - lengthOf(base64Before, before), end: end + lengthOf(base64Behind, behind) }];
  });
}

/**
 * Where the form that begins there ends; `undefined`: it is another text. A text that was cut off in the middle of it, as errors
 * are before anybody looks for secrets in them, has enough of it to tell.
 */
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
