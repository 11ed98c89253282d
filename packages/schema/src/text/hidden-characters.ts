/** Controls, format characters, lone surrogates, default ignorables and line separators except U+000A. */
const unseen = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2028\u2029`;
/** Visible format characters. */
const drawn = String.raw`\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}`;
/** Hidden by themselves; part of the spelling after some characters. */
const joining = String.raw`\u180B-\u180F\u200C\u200D\uFE00-\uFE0F\u{E0100}-\u{E01EF}`;

/** Longer runs of combining marks than any script uses; they would cover neighboring lines. */
const maxMarks = 8;

// No lookbehind: with one, engines run the whole expression many times slower.
const hiddenSource = String.raw`${String.raw`\p{M}`.repeat(maxMarks + 1)}+|[[${unseen}]--[\n\t${drawn}]]`;
const hidden = new RegExp(hiddenSource, "gv");
const hiddenOrBreak = new RegExp(String.raw`${hiddenSource}|[\n\t]`, "gv");
const alwaysHidden = new RegExp(`^[[${unseen}]--[${drawn}]]$`, "v");

/**
 * Characters other than U+0020 that render as a space or nothing: white space, characters without a common glyph
 * (private use, unassigned), and blanks of scripts and notations.
 */
const blankSource = String.raw`[[\p{Zs}\p{Co}\p{Cn}\u2800\u{13441}\u{13442}\u{16FE4}\u{1D159}]--[ ]]`;
const blank = new RegExp(blankSource, "gv");
const isBlank = new RegExp(`^${blankSource}$`, "v");
const wide = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/v;

/**
 * Matches one line without hidden characters. Accepts joining characters anywhere, unlike `escapeHidden`: a pattern
 * in an OpenAPI document cannot look at preceding characters.
 */
export const oneLinePattern = new RegExp(`^(?:[^${unseen}]|[${drawn}${joining}])*$`, "u");

/** Like `oneLinePattern`, for 1 to 255 characters without a path. */
export const filenamePattern = new RegExp(String.raw`^(?:[^${unseen}/\\]|[${drawn}${joining}]){1,255}$`, "u");

/** Joining characters, with the preceding characters that they belong to. */
const joins: readonly (readonly [mark: RegExp, before: RegExp])[] = [
  [/\u200D/, /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]/u],
  [
    /[\u200C\u200D]/,
    /[[\p{L}\p{M}]&&[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mand}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Mymr}\p{scx=Khmr}]]/v,
  ],
  [/[\uFE0E\uFE0F]/, /\p{Extended_Pictographic}/u],
  [/[\uFE00-\uFE0E\u{E0100}-\u{E01EF}]/u, /\p{Ideographic}/u],
  [/[\u180B-\u180F]/, /\p{sc=Mong}/u],
];
const keycap = /^[0-9#*]\uFE0F\u20E3/;

const names: ReadonlyMap<string, string> = new Map([
  ["\b", "\\b"],
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\f", "\\f"],
  ["\r", "\\r"],
]);

/**
 * Replaces hidden characters by JSON escapes, such as `\u001b`: control sequences, bidirectional controls,
 * zero-width characters, and excess combining marks. JSON stays equivalent. Keeps line breaks, tabs, and joiners of
 * scripts and emoji; converts CRLF to LF. Idempotent.
 */
export function escapeHidden(text: string): string {
  return escapeIn(text, hidden, "");
}

/** Like `escapeHidden`, and escapes line breaks and tabs. */
export function escapeHiddenLine(text: string): string {
  return escapeIn(text, hiddenOrBreak, "");
}

/** Collapses white space to single spaces and escapes hidden characters. */
export function singleLine(text: string): string {
  return escapeHiddenLine(text.replaceAll(/[\s\u0085]+/gu, " ").trim());
}

/** Returns a file name without hidden characters or path separators, clipped to 255 UTF-16 units. */
export function toFilename(name: string): string {
  const safe = replaceIn(name, hiddenOrBreak, { before: "", replace: () => "_" }).replaceAll(/[/\\]/g, "_");
  return safe
    .slice(0, 255)
    .toWellFormed()
    .replace(/\uFFFD$/, "");
}

/** Whether `escapeHiddenLine` changes the text. */
export function hasHidden(text: string): boolean {
  return escapeHiddenLine(text) !== text;
}

/**
 * Whether a single character, regardless of its context, is hidden, a line break, or a blank that `escapeBlanks`
 * escapes.
 */
export function isUnseenCharacter(character: string): boolean {
  return alwaysHidden.test(character) || isBlank.test(character);
}

/**
 * Replaces the characters that `escapeHidden` escapes.
 * @param replace Called with each hidden character.
 * @param before Preceding text, which decides whether a leading joining character is hidden.
 */
export function replaceHidden(text: string, replace: (character: string) => string, before = ""): string {
  return replaceIn(text, hidden, { before, replace });
}

/**
 * Escapes characters that look like a space, or like nothing, other than U+0020: a no-break space in a command is
 * part of a word. Keeps the ideographic space next to Chinese, Japanese and Korean text.
 */
export function escapeBlanks(text: string): string {
  return text.replaceAll(blank, (character, offset: number) => {
    const isWritten =
      character === "\u3000" && (wide.test(text[offset - 1] ?? "") || wide.test(text[offset + 1] ?? ""));
    return isWritten ? character : inJson(character);
  });
}

/** Clips to `maxCharacters` UTF-16 units, and appends the number of omitted characters. */
export function clippedLine(text: string, { maxCharacters }: { readonly maxCharacters: number }): string {
  if (text.length <= maxCharacters) return escapeHiddenLine(text);
  const end = isHighSurrogate(text.charCodeAt(maxCharacters - 1)) ? maxCharacters - 1 : maxCharacters;
  return `${escapeHiddenLine(text.slice(0, end))}… (${text.length - end} characters more)`;
}

/** Escapes hidden characters in a stream, whose chunks may end within a character. */
export class HiddenEscaper {
  readonly #isExact: boolean;
  #held = "";
  #before = "";

  /**
   * @param options.isExact Escapes nothing, but holds a trailing high surrogate until its low surrogate arrives.
   */
  constructor({ isExact }: { readonly isExact: boolean }) {
    this.#isExact = isExact;
  }

  write(piece: string): string {
    const text = this.#held + piece;
    const last = text.at(-1) ?? "";
    const isOpen = isHighSurrogate(last.charCodeAt(0)) || (!this.#isExact && (last === "\r" || last === "\uFE0F"));
    this.#held = isOpen ? last : "";
    return this.#take(isOpen ? text.slice(0, -1) : text);
  }

  /** Returns the held rest. */
  end(): string {
    const rest = this.#take(this.#held);
    this.#held = "";
    this.#before = "";
    return rest;
  }

  #take(text: string): string {
    if (text === "" || this.#isExact) return text;
    const before = this.#before;
    this.#before = tailOf(before + text);
    return escapeIn(text, hidden, before);
  }
}

function escapeIn(text: string, pattern: RegExp, before: string): string {
  return replaceIn(text, pattern, {
    before,
    replace: (character, next) => {
      if (character === "\r" && pattern === hidden && next === "\n") return "";
      return names.get(character) ?? inJson(character);
    },
  });
}

interface Replacement {
  /** Preceding text, which affects whether characters count as hidden. */
  readonly before: string;
  readonly replace: (character: string, next: string | undefined) => string;
}

function replaceIn(text: string, pattern: RegExp, { before, replace }: Replacement): string {
  const whole = before + text;
  const replaceOne = (character: string, offset: number): string => {
    if (offset < before.length) return character;
    const previous = characterBefore(whole, offset);
    if (joins.some(([mark, base]) => mark.test(character) && base.test(previous))) return character;
    if (keycap.test(previous + whole.slice(offset, offset + 2))) return character;
    return replace(character, whole[offset + character.length]);
  };
  const replaceMarks = (marks: string, offset: number): string => {
    let at = offset;
    return Array.from(marks, (mark, index) => {
      const here = at;
      at += mark.length;
      if (here < before.length) return mark;
      if (index >= maxMarks) return replace(mark, whole[at]);
      return alwaysHidden.test(mark) ? replaceOne(mark, here) : mark;
    }).join("");
  };
  return whole
    .replaceAll(pattern, (found, offset: number) =>
      found.length > 2 ? replaceMarks(found, offset) : replaceOne(found, offset),
    )
    .slice(before.length);
}

/** Returns the end of a text that affects the following characters. */
function tailOf(text: string): string {
  const start = Math.max(0, text.length - 2 * (maxMarks + 1));
  return text.slice(isHighSurrogate(text.charCodeAt(start - 1)) ? start - 1 : start);
}

function characterBefore(text: string, offset: number): string {
  const isPair = isHighSurrogate(text.charCodeAt(offset - 2));
  return text.slice(Math.max(0, offset - (isPair ? 2 : 1)), offset);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Escapes each surrogate separately, as in JSON. */
function inJson(character: string): string {
  let escaped = "";
  for (let index = 0; index < character.length; index += 1)
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  return escaped;
}
