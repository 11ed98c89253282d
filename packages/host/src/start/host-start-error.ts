/** A required part of the host did not start. */
export class HostStartError extends Error {
  override readonly name = "HostStartError";
}
