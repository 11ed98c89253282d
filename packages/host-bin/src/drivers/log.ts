import type { JsonValue, Log } from "@incipit/kernel";

export type LogLevel = "debug" | "info" | "warn" | "error";

export interface LogOptions {
  readonly write: (line: string) => void;
  readonly minLevel: LogLevel;
  /** Never written, wherever they stand. */
  readonly secrets: readonly string[];
}

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** One line for each message: time, level, who, what, and fields as JSON. */
export function createLog(source: string, options: LogOptions): Log {
  const secrets = options.secrets.filter((secret) => secret.length >= 8);
  const write = (level: LogLevel, message: string, fields?: Readonly<Record<string, JsonValue>>): void => {
    if (levels.indexOf(level) < levels.indexOf(options.minLevel)) return;
    const rest = fields === undefined ? "" : ` ${JSON.stringify(fields)}`;
    const line = `${new Date().toISOString()} ${level} ${source}: ${message}${rest}`;
    options.write(`${secrets.reduce((text, secret) => text.replaceAll(secret, "[secret]"), line)}\n`);
  };
  return {
    debug: (message, fields) => write("debug", message, fields),
    info: (message, fields) => write("info", message, fields),
    warn: (message, fields) => write("warn", message, fields),
    error: (message, fields) => write("error", message, fields),
  };
}
