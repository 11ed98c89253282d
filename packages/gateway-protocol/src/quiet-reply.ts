/** What a model says that has nothing to tell. */
const token = "HEARTBEAT_OK";

/**
 * Whether nobody has to read a reply: it is the token, or its last line is. White space around it does not count. A token
 * anywhere else is part of what is told: an alert that names it is an alert.
 */
export function isQuiet(reply: string): boolean {
  const text = reply.trimEnd();
  return text.slice(text.lastIndexOf("\n") + 1).trim() === token;
}
