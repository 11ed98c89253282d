/** Invalid configuration; the message has file, line and key. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
