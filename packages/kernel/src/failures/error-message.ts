/** The message of whatever was thrown: extensions throw all kinds of things. */
export function errorMessage(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return "something that has no text"; // Such as an object without a prototype: there is no more to say about it.
  }
}

/**
 * What was thrown, as an error that whoever catches it can look at: the very one, unless it is no error, or its own code answers when
 * it is looked at, and throws.
 */
export function readableError(error: unknown): Error {
  try {
    if (error instanceof Error && typeof error.message === "string") return error;
  } catch {
    // It is told as what it is below.
  }
  return new Error(errorMessage(error));
}

/** The message of what was behind it; `null`: nothing was. */
export function causeMessage(error: unknown): string | null {
  try {
    return error instanceof Error && error.cause !== undefined ? errorMessage(error.cause) : null;
  } catch {
    return null; // It is read by a getter, which throws.
  }
}
