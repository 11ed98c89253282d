/** The message of whatever was thrown: extensions throw all kinds of things. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    return "something that has no text"; // Such as an object without a prototype: there is no more to say about it.
  }
}

/** The message of what was behind it; `null`: nothing was. */
export function causeMessage(error: unknown): string | null {
  return error instanceof Error && error.cause !== undefined ? errorMessage(error.cause) : null;
}
