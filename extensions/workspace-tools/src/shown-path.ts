/** A path on one line: a line break in a name would look like two. */
export function shownPath(path: string): string {
  return /\p{Cc}/u.test(path) ? JSON.stringify(path) : path;
}
