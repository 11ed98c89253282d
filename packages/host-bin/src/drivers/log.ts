import type { Clock, JsonValue, Log } from "@incipit/kernel";
import type { Redactor } from "@incipit/redaction";
import { shownLine } from "../shown-text.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

export interface LogOptions {
  readonly write: (line: string) => void;
  readonly minLevel: LogLevel;
  readonly clock: Clock;
  /** Never written, wherever they stand. Shorter than 8 characters: not looked for, they would hit ordinary words. */
  readonly secrets: readonly string[];
  /** Leaves out what is a secret by its shape. */
  readonly redactor: Redactor;
}

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];
const secretField =
  /^(.*[-_.])?(authorization|cookie|api[-_]?key|token|secret|password)$|[a-z](ApiKey|Token|Secret|Password)$|^apiKey$/;
const bearer = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi;

/** One line for each message: time, level, who, what, and fields as JSON. Fields that are named as secrets are hidden. */
export function createLog(source: string, options: LogOptions): Log {
  const { write: writeLine, minLevel, clock, secrets, redactor } = options;
  const hidden = secrets.filter((secret) => secret.length >= 8);
  const write = (level: LogLevel, message: string, fields?: Readonly<Record<string, JsonValue>>): void => {
    if (levels.indexOf(level) < levels.indexOf(minLevel)) return;
    const rest = fields === undefined ? "" : ` ${JSON.stringify(fields, hideSecret)}`;
    const line = `${new Date(clock.now()).toISOString()} ${level} ${source}: ${message}${rest}`;
    const safe = hidden.reduce((text, secret) => text.replaceAll(secret, "[secret]"), line);
    const shown = redactor.redact(safe.replaceAll(bearer, "$1 [secret]"));
    writeLine(`${shownLine(shown)}\n`);
  };
  return {
    debug: (message, fields) => write("debug", message, fields),
    info: (message, fields) => write("info", message, fields),
    warn: (message, fields) => write("warn", message, fields),
    error: (message, fields) => write("error", message, fields),
  };
}

function hideSecret(name: string, value: unknown): unknown {
  return typeof value === "string" && secretField.test(name) ? "[secret]" : value;
}
