/** Something that the host cannot run without did not start. */
export class HostStartError extends Error {
  override readonly name = "HostStartError";
}
