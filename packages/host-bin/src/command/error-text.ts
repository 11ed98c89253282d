/** What a person is told of a failure: what was wrong and what to do, with the code when it has one. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? ` [${error.code}]` : "";
  return `${error.message}${code}`;
}
