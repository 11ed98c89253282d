/**
 * What was pasted is sent as it is, and may hold what steers a terminal or cannot be seen. In the editor each such character is
 * a private one of the width 1, which stands for it: so the cursor is where it seems to be, and what is drawn does nothing. An `@`
 * or `!` that was pasted is one, too: somebody else wrote it, and it names no file, and runs nothing, of the person who sits here.
 */
const first = 0x10f000;
const pages: readonly (readonly [from: number, to: number, place: number])[] = [
  [0x0000, 0x00ff, first],
  [0x2000, 0x20ff, first + 0x100],
  [0xfe00, 0xffff, first + 0x200],
  [0xe0000, 0xe007f, first + 0x400],
];
const last = first + 0x47f;

/** Controls, directions, and what has no width; not what emoji and scripts are joined with. */
const hidden =
  /[[\p{Cc}\u00AD\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]--[\n]]/gv;
/** `@` as a stand-in. */
const pastedName = /\u{10F040}\S*/gu;
const stoodFor = /[\u{10F000}-\u{10F47F}]/gu;

/** A text of somebody else, for the editor. */
export function disguised(text: string): string {
  return withoutPrivate(text)
    .replaceAll(/[@!]/g, (character) => standIn(character))
    .replaceAll(hidden, standIn);
}

/** What a person has typed themselves: an `@` of it is one. */
export function disguisedControls(text: string): string {
  return text.replaceAll(hidden, standIn);
}

/** A text that was changed elsewhere: what was somebody else's name in it before is none of the person's now. */
export function disguisedAsBefore(text: string, before: string): string {
  const pasted = new Set(before.match(pastedName)?.map((name) => undisguised(name)));
  const named = text.replaceAll(/@\S*/g, (name) => (pasted.has(name) ? disguised(name) : name));
  const isOthers = named.startsWith("!") && before.includes(standIn("!"));
  return disguisedControls(isOthers ? named.replace("!", standIn) : named);
}

/** The text, as it was. */
export function undisguised(text: string): string {
  return text.replaceAll(stoodFor, original);
}

/** A row of the editor, for the screen. */
export function drawn(row: string): string {
  return row.replaceAll(stoodFor, (character) => {
    const code = original(character).codePointAt(0) ?? 0;
    if (code === 0x09) return "→";
    if (code === 0x40 || code === 0x21) return String.fromCodePoint(code);
    if (code < 0x20) return String.fromCodePoint(0x2400 + code); // Control pictures.
    return code === 0x7f ? "\u2421" : "\uFFFD";
  });
}

/** How many characters of a text cannot be seen, tabs aside. */
export function hiddenIn(text: string): number {
  return text.replaceAll("\t", "").match(hidden)?.length ?? 0;
}

/** One that a text happens to have is none of ours. */
function withoutPrivate(text: string): string {
  return text.toWellFormed().replaceAll(stoodFor, "\uFFFD");
}

function standIn(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const page = pages.find(([from, to]) => code >= from && code <= to);
  return page === undefined ? "\uFFFD" : String.fromCodePoint(page[2] + code - page[0]);
}

function original(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const page = pages.findLast(([, , place]) => code >= place && code <= last);
  return page === undefined ? character : String.fromCodePoint(page[0] + code - page[2]);
}
