/** A configuration that the host does not start with; the message names file, line and key. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
