import { lineEnds, toLf } from "./line-ends.ts";

interface Texts {
  readonly oldText: string;
  readonly newText: string;
}

/** `text` with the change; `absent`, `several`: the old text does not occur in it just once. */
export type Replaced =
  | { readonly kind: "replaced"; readonly text: string }
  | { readonly kind: "absent" | "several" };

/**
 * Replaces a text that occurs once, whatever line ends either has. What both texts begin and end with stays as it is in the file,
 * byte for byte; a line end in between takes the place of one that was there, or is as the nearest one of the file. Texts that
 * differ in line ends alone are taken literally.
 */
export function replaceOnce(text: string, { oldText, newText }: Texts): Replaced {
  const [from, to] = [toLf(oldText), toLf(newText)];
  const exactly = onlyPlace(text, oldText);
  if (from === to) {
    if (typeof exactly !== "number") return { kind: exactly };
    return { kind: "replaced", text: text.slice(0, exactly) + newText + text.slice(exactly + oldText.length) };
  }
  const plain = toLf(text);
  const place = onlyPlace(plain, from);
  if (place === "absent") return { kind: "absent" };
  // Among places that differ in their line ends, the one that has those of the call is meant.
  if (place === "several" && typeof exactly !== "number") return { kind: "several" };
  const start = place === "several" ? toLf(text.slice(0, Number(exactly))).length : place;
  const shared = sharedEnds(from, to);
  const at = originalPlaces(text, [start + shared.before, start + from.length - shared.behind]);
  const middle = to.slice(shared.before, to.length - shared.behind);
  return {
    kind: "replaced",
    text: withMiddle(middle, { text, at, ownEnds: lineEnds(newText) }),
  };
}

/** Also one that overlaps the first is a second one. */
function onlyPlace(text: string, part: string): number | "absent" | "several" {
  const at = text.indexOf(part);
  if (at === -1) return "absent";
  return text.includes(part, at + 1) ? "several" : at;
}

/** How much two texts begin and end with alike. */
function sharedEnds(from: string, to: string): { readonly before: number; readonly behind: number } {
  const max = Math.min(from.length, to.length);
  let before = 0;
  while (before < max && from[before] === to[before]) before += 1;
  let behind = 0;
  while (behind < max - before && from.at(-1 - behind) === to.at(-1 - behind)) behind += 1;
  return { before, behind };
}

/** Where places of `toLf(text)` are in the text; they ascend. */
function originalPlaces(text: string, [first, last]: readonly [number, number]): readonly [number, number] {
  const found: number[] = [];
  let removed = 0;
  let next = text.indexOf("\r\n");
  for (const place of [first, last]) {
    while (next !== -1 && next - removed < place) {
      removed += 1;
      next = text.indexOf("\r\n", next + 2);
    }
    found.push(place + removed);
  }
  return [found[0] ?? 0, found[1] ?? 0];
}

/** The text with another middle, whose line ends are made. */
function withMiddle(
  middle: string,
  {
    text,
    at: [start, end],
    ownEnds,
  }: { readonly text: string; readonly at: readonly [number, number]; readonly ownEnds: readonly string[] },
): string {
  const replaced = lineEnds(text.slice(start, end));
  const near = replaced.at(-1) ?? lineEnds(text.slice(0, start)).at(-1) ?? lineEnds(text.slice(end))[0];
  const [first = "", ...lines] = middle.split("\n");
  let all = text.slice(0, start) + first;
  for (const [index, line] of lines.entries()) {
    const lineEnd = replaced[index] ?? near ?? ownEnds[index] ?? "\n";
    // CR and LF of two lines would become one line end.
    all += (lineEnd === "\n" && all.endsWith("\r") ? "\r" : lineEnd) + line;
  }
  const joins = lines.length > 0 && all.endsWith("\r") && text.startsWith("\n", end);
  return `${all}${joins ? "\n" : ""}${text.slice(end)}`;
}
