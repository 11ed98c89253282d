/** The message of whatever was thrown: extensions throw all kinds of things. */
export function errorMessage(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return "something that has no text"; // Such as an object without a prototype: there is no more to say about it.
  }
}

/** The message of what was behind it; `null`: nothing was. */
export function causeMessage(error: unknown): string | null {
  try {
    return error instanceof Error && error.cause !== undefined ? errorMessage(error.cause) : null;
  } catch {
    return null; // It is read by a getter, which throws.
  }
}
