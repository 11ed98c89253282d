import { replaceHidden } from "@incipit/schema";

/**
 * Pasted text is sent unchanged and may contain control or invisible characters. In the editor each is replaced by a
 * private character of width 1, so that the cursor position is correct and nothing is executed. A pasted `@` or `!` is
 * replaced too: foreign text must not name the user's files or run commands.
 */
const first = 0x10c000;
/** Cover every character that `replaceHidden` replaces; a test checks that none is missing. */
const ranges: readonly (readonly [from: number, to: number])[] = [
  [0x0000, 0x00ff],
  [0x0300, 0x036f], // Combining marks, which could pile up.
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x20ff],
  [0x3164, 0x3164],
  [0xfe00, 0xffff],
  [0x13430, 0x1345f],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];
const pages: readonly (readonly [from: number, to: number, place: number])[] = placed(ranges);
const pastedName = /\u{10C040}\S*/gu;
const stoodFor = /[\u{10C000}-\u{10DFFF}]/gu;

export function disguised(text: string): string {
  return disguisedControls(withoutPrivate(text)).replaceAll(/[@!]/g, standIn);
}

/** Replaces control and invisible characters only: `@` and `!` keep their effect. */
export function disguisedControls(text: string): string {
  return disguisedBehind(text, "");
}

/**
 * Like `disguisedControls` for one typed key, but keeps the last part of a keycap emoji, which arrives as several keys.
 */
export function disguisedKey(key: string, before: string): string {
  const isKeycap = key === "\uFE0F" && /[0-9#*]$/.test(before);
  return isKeycap ? key : disguisedBehind(key, before);
}

function disguisedBehind(text: string, before: string): string {
  return replaceHidden(text, standIn, before).replaceAll("\t", standIn);
}

/** Disguises an edited text; `@` names and a leading `!` that were pasted in `before` stay without effect. */
export function disguisedAsBefore(text: string, before: string): string {
  const pasted = new Set(before.match(pastedName)?.map((name) => undisguised(name)));
  const named = text.replaceAll(/@\S*/g, (name) => (pasted.has(name) ? disguised(name) : name));
  const isOthers = named.startsWith("!") && before.includes(standIn("!"));
  return disguisedControls(isOthers ? named.replace("!", standIn) : named);
}

export function undisguised(text: string): string {
  return text.replaceAll(stoodFor, original);
}

export function drawn(row: string): string {
  return row.replaceAll(stoodFor, (character) => {
    const code = original(character).codePointAt(0) ?? 0;
    if (code === 0x09) return "→";
    if (code === 0x40 || code === 0x21) return String.fromCodePoint(code);
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return code === 0x7f ? "\u2421" : "\uFFFD";
  });
}

export function hiddenIn(text: string): number {
  let count = 0;
  replaceHidden(text, (character) => {
    count += 1;
    return character;
  });
  return count;
}

/** Replaces private characters of the text itself, which could be taken for replacements. */
function withoutPrivate(text: string): string {
  return text.toWellFormed().replaceAll(stoodFor, "\uFFFD");
}

function standIn(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const page = pages.find(([from, to]) => code >= from && code <= to);
  return page === undefined ? character : String.fromCodePoint(page[2] + code - page[0]);
}

function original(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const page = pages.find(([from, to, place]) => code >= place && code <= place + to - from);
  return page === undefined ? character : String.fromCodePoint(page[0] + code - page[2]);
}

function placed(given: typeof ranges): typeof pages {
  let next = first;
  return given.map(([from, to]) => {
    const place = next;
    next += to - from + 1;
    return [from, to, place];
  });
}
