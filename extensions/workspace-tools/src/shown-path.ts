/** Quotes a path with control characters, so that it stays on one line. */
export function shownPath(path: string): string {
  return /\p{Cc}/u.test(path) ? JSON.stringify(path) : path;
}
