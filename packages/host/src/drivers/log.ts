import type { Clock, JsonValue, Log } from "@incipit/kernel";
import type { Redactor } from "@incipit/redaction";
import { clippedLine } from "@incipit/schema/text";

export type LogLevel = "debug" | "info" | "warn" | "error";

export interface LogOptions {
  readonly write: (line: string) => void;
  readonly minLevel: LogLevel;
  readonly clock: Clock;
  readonly redactor: Pick<Redactor, "redact">;
}

/** Longest line; some contain external text. */
const maxLineLength = 16_384;

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];
const secretField =
  /^(.*[-_.])?(authorization|cookie|api[-_]?key|token|secret|password)$|[a-z](ApiKey|Token|Secret|Password)$|^apiKey$/;
const bearer = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi;

/** Hides fields with secret names. */
export function createLog(source: string, options: LogOptions): Log {
  const { write: writeLine, minLevel, clock, redactor } = options;
  const write = (level: LogLevel, message: string, fields?: Readonly<Record<string, JsonValue>>): void => {
    if (levels.indexOf(level) < levels.indexOf(minLevel)) return;
    const rest = fields === undefined ? "" : ` ${JSON.stringify(fields, hideSecret)}`;
    const line = `${new Date(clock.now()).toISOString()} ${level} ${source}: ${message}${rest}`;
    const shown = redactor.redact(line).replaceAll(bearer, "$1 [secret]");
    // Clipped after redaction: half a secret would not be recognized.
    writeLine(`${clippedLine(shown, { maxCharacters: maxLineLength })}\n`);
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
