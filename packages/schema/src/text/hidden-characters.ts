/** Controls, format characters, lone surrogates, default ignorables and the line ends that are not U+000A. */
const unseen = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2028\u2029`;
/** Format characters that are drawn. */
const drawn = String.raw`\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}`;
/** Hidden by themselves; part of the spelling behind some characters. */
const joining = String.raw`\u180B-\u180F\u200C\u200D\uFE00-\uFE0F\u{E0100}-\u{E01EF}`;

/** More combining marks in a row than any script writes cover the lines around them. */
const maxMarks = 8;

// No lookbehind: with one, engines run the whole expression many times slower.
const hiddenSource = String.raw`${String.raw`\p{M}`.repeat(maxMarks + 1)}+|[[${unseen}]--[\n\t${drawn}]]`;
const hidden = new RegExp(hiddenSource, "gv");
const hiddenOrBreak = new RegExp(String.raw`${hiddenSource}|[\n\t]`, "gv");
const alwaysHidden = new RegExp(`^[[${unseen}]--[${drawn}]]$`, "v");

/**
 * What reads as a space, or as nothing, and is not U+0020: white space, characters without a common glyph (private use,
 * unassigned), and blanks of scripts and notations.
 */
const blankSource = String.raw`[[\p{Zs}\p{Co}\p{Cn}\u2800\u{13441}\u{13442}\u{16FE4}\u{1D159}]--[ ]]`;
const blank = new RegExp(blankSource, "gv");
const isBlank = new RegExp(`^${blankSource}$`, "v");
const wide = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/v;

/**
 * Matches one line without hidden characters. Accepts joining characters wherever they are, which `escapeHidden` does not: a
 * pattern in an OpenAPI document cannot look at the characters before them.
 */
export const oneLinePattern = new RegExp(`^(?:[^${unseen}]|[${drawn}${joining}])*$`, "u");

/** Like `oneLinePattern`, for 1 to 255 characters without a path. */
export const filenamePattern = new RegExp(String.raw`^(?:[^${unseen}/\\]|[${drawn}${joining}]){1,255}$`, "u");

/** Characters that are hidden by themselves, and part of the spelling of what is before them. */
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
 * Returns a text with every hidden character in JSON notation, such as `\u001b`: what steers a terminal, changes the direction of
 * text, has no width, or is one combining mark too many. JSON stays the same JSON. Keeps line breaks, tabs, and what scripts and
 * emoji are written with; makes CRLF a line break. Idempotent.
 */
export function escapeHidden(text: string): string {
  return escapeIn(text, hidden, "");
}

/** Like `escapeHidden`, in one line: line breaks and tabs are escaped, too. */
export function escapeHiddenLine(text: string): string {
  return escapeIn(text, hiddenOrBreak, "");
}

/** Returns a text as one line: white space of any kind becomes one space, and hidden characters are escaped. */
export function singleLine(text: string): string {
  return escapeHiddenLine(text.replaceAll(/[\s\u0085]+/gu, " ").trim());
}

/** Returns a name for a file that has no hidden character and no path, clipped to 255 UTF-16 units. */
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
 * Whether a single character is not seen as itself, without regard to what is before it: hidden, a line break, or one that
 * `escapeBlanks` escapes.
 */
export function isUnseenCharacter(character: string): boolean {
  return alwaysHidden.test(character) || isBlank.test(character);
}

/**
 * Replaces what `escapeHidden` escapes.
 * @param replace Called with each hidden character.
 * @param before Text in front of this one, which decides whether a joining character at its start is hidden.
 */
export function replaceHidden(text: string, replace: (character: string) => string, before = ""): string {
  return replaceIn(text, hidden, { before, replace });
}

/**
 * Escapes characters that look like a space, or like nothing, and are not U+0020: a no-break space in a command is part of a word.
 * Keeps the ideographic space next to Chinese, Japanese and Korean text.
 */
export function escapeBlanks(text: string): string {
  return text.replaceAll(blank, (character, offset: number) => {
    const isWritten =
      character === "\u3000" && (wide.test(text[offset - 1] ?? "") || wide.test(text[offset + 1] ?? ""));
    return isWritten ? character : inJson(character);
  });
}

/** Clips to so many UTF-16 units, and says how many characters it leaves out. */
export function clippedLine(text: string, { maxCharacters }: { readonly maxCharacters: number }): string {
  if (text.length <= maxCharacters) return escapeHiddenLine(text);
  const end = isHighSurrogate(text.charCodeAt(maxCharacters - 1)) ? maxCharacters - 1 : maxCharacters;
  return `${escapeHiddenLine(text.slice(0, end))}… (${text.length - end} characters more)`;
}

/** Escapes hidden characters in a text that arrives in pieces, which may end in the middle of a character. */
export class HiddenEscaper {
  readonly #isExact: boolean;
  #held = "";
  #before = "";

  /** @param options.isExact Escapes nothing, but holds half a character at the end of a piece until its other half arrives. */
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

  /** Returns what was still held. */
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
  /** Text in front of this one: what is hidden depends on it. */
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

/** As much of a text as decides about what follows it. */
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

/** Each half of a pair, as JSON has it. */
function inJson(character: string): string {
  let escaped = "";
  for (let index = 0; index < character.length; index += 1)
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  return escaped;
}
