/**
 * The token that a model says when it has nothing to report, at the end of a reply. A word that ends so is another word; an
 * underscore may be escaped as Markdown wants it. Behind it come marks, quotes, tags and emoji, but no question.
 */
const quietEnd =
  /HEARTBEAT(?<![A-Za-z0-9][_\-]*HEARTBEAT)\\?_OK(?:<\/?[a-z]{1,20}>|&nbsp;|[[\s\p{P}\p{S}\p{M}\p{Cf}]--[?？]])*$/v;

/**
 * Whether a reply stays unsent: it ends with the token, as the prompt of the heartbeat asks for. The marks around the token do
 * not count. A token anywhere else is part of what is reported: an alert that names it is an alert.
 */
export function isQuiet(reply: string): boolean {
  return quietEnd.test(reply);
}
