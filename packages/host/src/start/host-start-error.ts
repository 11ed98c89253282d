export class HostStartError extends Error {
  override readonly name = "HostStartError";
}
