import type { Rule, Span } from "./rule.ts";

/** A key of 16,384 bits takes about 13 KB. */
const maxLength = 16_384;
const beginning = "-----BEGIN ";
const label = /(?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/y;
const ending = /-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/y;
/** Base64 and line breaks, plain or escaped as in JSON. */
const content = /[A-Za-z0-9+/=\s\\]*/y;

/**
 * Finds private keys in the format of https://www.rfc-editor.org/rfc/rfc7468, and PGP keys; also truncated ones.
 */
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
  // Headers of an encrypted key (`DEK-Info: …`) are not Base64, so the end marker is searched as well.
  const closing = text.indexOf("-----", behindLabel);
  if (closing === -1 || closing - start > maxLength) return cutOff;
  ending.lastIndex = closing;
  return ending.test(text) ? ending.lastIndex : cutOff;
}
