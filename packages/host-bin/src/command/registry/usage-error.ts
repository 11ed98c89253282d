/** The command line is invalid, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
