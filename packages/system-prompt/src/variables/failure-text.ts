const maxWordLength = 500;

export function cut(text: string): string {
  return text.slice(0, maxWordLength).toWellFormed();
}

export function failureText(error: unknown): string {
  try {
    const message = error instanceof Error ? error.message : String(error);
    return cut(message.slice(0, maxWordLength).replaceAll(/\s+/g, " "));
  } catch {
    return "threw something that cannot be read";
  }
}
