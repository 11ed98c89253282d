type Expanded =
  | { readonly kind: "expanded"; readonly text: string }
  | { readonly kind: "refused"; readonly reason: string };

/** What a message may have; a body that names its arguments often would make much of little. */
const maxLength = 1_048_576;

/** A backslash in front makes it text. */
const placeholder = /(\\?)\$(ARGUMENTS(?!\w)|[1-9](?!\d))/g;

/**
 * Puts what was typed behind a command into its text: `$ARGUMENTS` is all of it, `$1` to `$9` are its words, of which some may
 * be in quotes. One pass: what is put in is not looked at again. Where the text names none, it comes behind it, after a blank
 * line.
 */
export function expandText(body: string, given: string): Expanded {
  const typed = given.toWellFormed().trim();
  const words = wordsOf(typed);
  const pieces: string[] = [];
  let length = 0;
  let at = 0;
  let isNamed = false;
  const add = (piece: string): void => {
    length += piece.length;
    if (length <= maxLength) pieces.push(piece);
  };
  for (const found of body.matchAll(placeholder)) {
    const [whole, escape = "", name = ""] = found;
    add(body.slice(at, found.index));
    at = found.index + whole.length;
    if (escape !== "") {
      add(`$${name}`);
      continue;
    }
    isNamed = true;
    add(name === "ARGUMENTS" ? typed : (words[Number(name) - 1] ?? ""));
  }
  add(body.slice(at));
  if (!isNamed && typed !== "") add(`\n\n${typed}`);
  if (length > maxLength)
    return { kind: "refused", reason: `with its arguments it would have more than ${maxLength} characters` };
  const text = pieces.join("").toWellFormed().trim();
  return text === ""
    ? { kind: "refused", reason: "with these arguments nothing is left of it" }
    : { kind: "expanded", text };
}

/** Words between white space; in single or double quotes, white space belongs to them. A quote that never ends is a letter. */
function wordsOf(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"(?=\s|$)|'([^']*)'(?=\s|$)|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}
