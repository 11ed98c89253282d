/** The message of whatever was thrown: extensions throw all kinds of things. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    return "something that has no text"; // Such as an object without a prototype: there is no more to say about it.
  }
}
