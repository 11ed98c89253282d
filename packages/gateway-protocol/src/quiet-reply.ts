/**
 * The token of a reply with nothing to report, at its end, not as the suffix of another word. Allows an underscore
 * escaped for Markdown, a repeated end, and trailing punctuation, quotes, tags and emoji, except question marks.
 */
const quietEnd =
  /HEARTBEAT(?<![A-Za-z0-9][_\-]*HEARTBEAT)\\?_OK(?:\s?\\?_?OK)*(?:<\/?[a-z]{1,20}>|&nbsp;|[[\s\p{P}\p{S}\p{M}\p{Cf}]--[?？]])*$/v;

/**
 * Whether a reply stays unsent: it ends with the token, as the heartbeat's prompt requests. A token anywhere else
 * is content, such as an alert about it.
 */
export function isQuiet(reply: string): boolean {
  return quietEnd.test(reply);
}
