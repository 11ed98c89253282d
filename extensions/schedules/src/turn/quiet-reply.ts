/**
 * At the end of the reply, not as the suffix of another word. Allows an underscore escaped for Markdown, a repeated
 * end, and trailing punctuation, quotes, tags and emoji, except question marks.
 */
const quietEnd =
  /HEARTBEAT(?<![A-Za-z0-9][_\-]*HEARTBEAT)\\?_OK(?:\s?\\?_?OK)*(?:<\/?[a-z]{1,20}>|&nbsp;|[[\s\p{P}\p{S}\p{M}\p{Cf}]--[?？]])*$/v;

/** Returns whether a reply ends in the quiet token. Elsewhere it is content, such as an alert about the token. */
export function isQuiet(reply: string): boolean {
  return quietEnd.test(reply);
}
