import type { Rule, Span } from "./rule.ts";

/** Longest key with all that surrounds it: one of 16,384 bits has about 13 KB. */
const maxLength = 16_384;
const beginning = "-----BEGIN ";
const label = /(?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/y;
const ending = /-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/y;
/** Base64, line breaks, and line breaks as JSON writes them. */
const content = /[A-Za-z0-9+/=\s\\]*/y;

/** Private keys in the form of https://www.rfc-editor.org/rfc/rfc7468, and those of PGP; also one that is cut off. */
export const privateKeyRule: Rule = {
  kind: "private-key",
  overlap: maxLength,
  find(text, from) {
    const found: Span[] = [];
    let start = text.indexOf(beginning, from);
    while (start !== -1) {
      const end = endOf(text, start);
      if (end !== undefined) found.push({ start, end });
      start = text.indexOf(beginning, end ?? start + beginning.length);
    }
    return found;
  },
};

function endOf(text: string, start: number): number | undefined {
  label.lastIndex = start + beginning.length;
  if (!label.test(text)) return undefined;
  const behindLabel = label.lastIndex;
  content.lastIndex = behindLabel;
  content.test(text);
  const cutOff = content.lastIndex;
  // Headers of an encrypted key (`DEK-Info: …`) are no base64: the end is looked for as well.
  const closing = text.indexOf("-----", behindLabel);
  if (closing === -1 || closing - start > maxLength) return cutOff;
  ending.lastIndex = closing;
  return ending.test(text) ? ending.lastIndex : cutOff;
}
