import { KernelError, type KernelErrorCode, type Log } from "@incipit/kernel";
import { apiErrorCodeSchema, nextActionSchema, type ApiErrorCode } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import { nextRoute, statusByErrorCode, type ErrorResponse } from "@incipit/transport-contract";

/** Other protocols can convert the retained error. */
export class ErrorAnswer extends Response {
  readonly error: ErrorResponse["error"];

  constructor(given: ErrorResponse["error"]) {
    const error = boundedError(given);
    const body: ErrorResponse = { error };
    super(JSON.stringify(body), {
      status: statusByErrorCode[error.code],
      headers: { "content-type": "application/json;charset=utf-8" },
    });
    this.error = error;
  }
}

export function errorAnswer(code: ApiErrorCode, message: string, details?: unknown): Response {
  return new ErrorAnswer({ code, message, ...(details === undefined ? {} : { details }) });
}

function answerOf({ message, details, next: given }: ServiceError, code: ApiErrorCode): Response {
  // Unvalidated if it comes from an extension's own copy of the class.
  const next = nextActionSchema.safeParse(given).data;
  if (next === undefined) return errorAnswer(code, message, details);
  const whole = `${message}; ${nextRoute(next)}`;
  return new ErrorAnswer({ code, message: whole, ...(details === undefined ? {} : { details }), next });
}

/**
 * `null` if no request fails with the code. Exhaustive, because an unmapped code would become `INTERNAL` with a hidden
 * message.
 */
const codeByKernelCode: Readonly<Record<Exclude<KernelErrorCode, ApiErrorCode>, ApiErrorCode | null>> = {
  SCOPE_CLOSED: "SERVICE_UNAVAILABLE",
  GENERATION_GONE: "SERVICE_UNAVAILABLE",
  RELEASE_FAILED: "ACTIVATE_FAILED",
  STORED_VALUE_INVALID: "STORED_DATA_DAMAGED",
  SCHEMA_NEWER: "ACTIVATE_FAILED",
  MIGRATION_FAILED: "ACTIVATE_FAILED",
  UNCAUGHT: null,
  CONTRIBUTION_FAILED: null,
};
const codeByOtherName: ReadonlyMap<string, ApiErrorCode | null> = new Map(Object.entries(codeByKernelCode));

export interface FailedRequest {
  readonly log: Log;
  readonly method: string;
  readonly path: string;
}

/** Returns the response for an error. Unexpected errors are logged, and the response has no details of them. */
export function answerFor(error: unknown, { log, method, path }: FailedRequest): Response {
  if (ServiceError.is(error)) {
    // An extension's own copy of the class may have codes of another version.
    const code = apiErrorCodeSchema.safeParse(error.code);
    if (code.success) return answerOf(error, code.data);
  } else if (KernelError.is(error)) {
    const code = apiErrorCodeSchema.safeParse(codeByOtherName.get(error.code) ?? error.code);
    if (code.success) {
      const details = error.extension === undefined ? undefined : { extension: error.extension };
      return errorAnswer(code.data, error.message, details);
    }
  }
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log.error("A request failed", { method, path, error: reason });
  return errorAnswer("INTERNAL", "The host failed to answer; see its log");
}

/** Some texts of an error quote client input. */
const maxErrorLength = 4_096;
const kept = { atStart: 3_072, atEnd: 512 } as const;
const maxDetailDepth = 8;

/** Truncates in the middle: the problem is at the beginning of a message, the solution at its end. */
function boundedError({ code, message, details, next }: ErrorResponse["error"]): ErrorResponse["error"] {
  return {
    code,
    message: boundedText(message),
    ...(details === undefined ? {} : { details: boundedValue(details, maxDetailDepth) }),
    ...(next === undefined ? {} : { next }),
  };
}

function boundedText(text: string): string {
  if (text.length <= maxErrorLength) return text;
  const start = text.slice(0, kept.atStart).toWellFormed();
  const end = text.slice(-kept.atEnd).toWellFormed();
  return `${start}… (${text.length - kept.atStart - kept.atEnd} characters omitted) …${end}`;
}

function boundedValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return boundedText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.map((item: unknown) => boundedValue(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, boundedValue(item, depth - 1)]));
}
