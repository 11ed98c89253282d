type Expanded =
  | { readonly kind: "expanded"; readonly text: string }
  | { readonly kind: "refused"; readonly reason: string };

/** Limit of a message; repeated placeholders could multiply a small input. */
const maxLength = 1_048_576;

const placeholder = /(\\?)\$(ARGUMENTS(?!\w)|[1-9](?!\d))/g;

/**
 * `$ARGUMENTS` is all arguments, `$1` to `$9` are words, which may be quoted. A single pass: inserted text is not
 * expanded again. Without placeholders, arguments are appended after a blank line.
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
    ? { kind: "refused", reason: "with these arguments its text is empty" }
    : { kind: "expanded", text };
}

/** Splits arguments into words; an unclosed quote is an ordinary character. */
function wordsOf(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"(?=\s|$)|'([^']*)'(?=\s|$)|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}
