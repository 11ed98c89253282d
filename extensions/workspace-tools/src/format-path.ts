/** Quotes control characters, so that the path stays on one line. */
export function formatPath(path: string): string {
  return /\p{Cc}/u.test(path) ? JSON.stringify(path) : path;
}
