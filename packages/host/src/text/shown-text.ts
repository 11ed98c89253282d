/** Steers a terminal, or cannot be seen: controls, directions, what has no width, half a character, other line ends. */
const hidden =
  /[[\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2028\u2029]--[\n\t\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]]/gv;
const hiddenOrBreak = new RegExp(`${hidden.source}|[\\n\\t]`, "gv");

/** What is none of its own, and part of how the character before it is written. */
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
 * A text of others, for people: what would steer a terminal or cannot be seen is written as JSON writes it, such as
 * `\u001b`. JSON stays the same JSON. Line breaks and tabs stay; so does what writing needs: emoji, accents, every script.
 */
export function shownText(text: string): string {
  return shown(text, hidden, "");
}

/** The same in one line: a break is written as `\n`, and what it would begin is no line of its own. */
export function shownLine(text: string): string {
  return shown(text, hiddenOrBreak, "");
}

/** Clipped to so many characters; says how many it leaves out. */
export function clippedLine(text: string, { maxCharacters }: { readonly maxCharacters: number }): string {
  if (text.length <= maxCharacters) return shownLine(text);
  const end = isHighSurrogate(text.charCodeAt(maxCharacters - 1)) ? maxCharacters - 1 : maxCharacters;
  return `${shownLine(text.slice(0, end))}… (${text.length - end} characters more)`;
}

/** A text that comes in pieces, which may end in the middle of a character. */
export class ShownStream {
  readonly #isExact: boolean;
  #held = "";
  #before = "";

  /** @param options.isExact Left as it is, but for half a character at a piece's end, which waits for its other half. */
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

  /** What was still held. */
  end(): string {
    const rest = this.#take(this.#held);
    this.#held = "";
    this.#before = "";
    return rest;
  }

  #take(text: string): string {
    if (text === "" || this.#isExact) return text;
    const before = this.#before;
    this.#before = characterBefore(text, text.length);
    return shown(text, hidden, before);
  }
}

function shown(text: string, pattern: RegExp, before: string): string {
  return text.replaceAll(pattern, (character, offset: number) => {
    if (character === "\r" && pattern === hidden && text[offset + 1] === "\n") return "";
    const previous = offset === 0 ? before : characterBefore(text, offset);
    if (joins.some(([mark, base]) => mark.test(character) && base.test(previous))) return character;
    if (keycap.test(previous + text.slice(offset, offset + 2))) return character;
    return names.get(character) ?? escaped(character);
  });
}

function characterBefore(text: string, offset: number): string {
  const isPair = isHighSurrogate(text.charCodeAt(offset - 2));
  return text.slice(Math.max(0, offset - (isPair ? 2 : 1)), offset);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** For each half of a pair: the one way of JSON, too. */
function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }).join("");
}
