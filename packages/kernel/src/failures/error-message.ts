/** Returns the message of any thrown value. */
export function errorMessage(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return "something that has no text"; // For example an object without a prototype.
  }
}

/**
 * Returns a thrown value as an `Error` that is safe to read: the same object, if reading its message does not throw.
 */
export function readableError(error: unknown): Error {
  try {
    if (error instanceof Error && typeof error.message === "string") return error;
  } catch {}
  return new Error(errorMessage(error));
}

export function causeMessage(error: unknown): string | null {
  try {
    return error instanceof Error && error.cause !== undefined ? errorMessage(error.cause) : null;
  } catch {
    return null; // The getter of `cause` throws.
  }
}
