/** Longest text that is kept of what an extension says of itself, and of its failures; the rest is cut off. */
const maxWordLength = 500;

export function cut(text: string): string {
  return text.slice(0, maxWordLength).toWellFormed();
}

/** The message of whatever was thrown, in one line. */
export function failureText(error: unknown): string {
  try {
    const message = error instanceof Error ? error.message : String(error);
    return cut(message.slice(0, maxWordLength).replaceAll(/\s+/g, " "));
  } catch {
    return "threw something that cannot be read";
  }
}
