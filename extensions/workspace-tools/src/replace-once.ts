import { lineEnds, toLf } from "./line-ends.ts";

interface Texts {
  readonly oldText: string;
  readonly newText: string;
}

export type Replaced =
  | { readonly kind: "replaced"; readonly text: string }
  | { readonly kind: "absent" | "several" };

/**
 * Ignores line endings. The common start and end of both texts stay unchanged, byte for byte; a line ending in between
 * replaces an existing one, or copies the nearest one of the file. Texts that differ only in line endings are taken
 * literally.
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
  // If matches differ only in line endings, the exact match of the call's text wins.
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

/** Returns the index of the only occurrence. Overlapping occurrences count as several. */
function onlyPlace(text: string, part: string): number | "absent" | "several" {
  const at = text.indexOf(part);
  if (at === -1) return "absent";
  return text.includes(part, at + 1) ? "several" : at;
}

function sharedEnds(from: string, to: string): { readonly before: number; readonly behind: number } {
  const max = Math.min(from.length, to.length);
  let before = 0;
  while (before < max && from[before] === to[before]) before += 1;
  let behind = 0;
  while (behind < max - before && from.at(-1 - behind) === to.at(-1 - behind)) behind += 1;
  return { before, behind };
}

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
    // Avoids that a CR and LF of two lines become one line ending.
    all += (lineEnd === "\n" && all.endsWith("\r") ? "\r" : lineEnd) + line;
  }
  const joins = lines.length > 0 && all.endsWith("\r") && text.startsWith("\n", end);
  return `${all}${joins ? "\n" : ""}${text.slice(end)}`;
}
