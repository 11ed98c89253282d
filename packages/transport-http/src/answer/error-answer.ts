import { KernelError, type KernelErrorCode, type Log } from "@incipit/kernel";
import { apiErrorCodeSchema, nextActionSchema, type ApiErrorCode } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import { nextRoute, statusByErrorCode, type ErrorResponse } from "@incipit/transport-contract";
import { boundedError } from "./bounded-error.ts";

/** An answer in the API's shape of errors, which knows what it says: another protocol says it in its own shape. */
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
  const next = nextActionSchema.safeParse(given).data; // Of an extension's own copy of the class it may be anything.
  if (next === undefined) return errorAnswer(code, message, details);
  const whole = `${message}; ${nextRoute(next)}`;
  return new ErrorAnswer({ code, message: whole, ...(details === undefined ? {} : { details }), next });
}

/**
 * The kernel's codes that are none of the API's. The compiler asks for each new one: what it becomes, or `null` when no request
 * fails with it. It would be `INTERNAL`, and its message hidden.
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
  /** Without the query. */
  readonly path: string;
}

/** The answer for whatever a route threw. What nobody foresaw is logged, and its inside not shown. */
export function answerFor(error: unknown, { log, method, path }: FailedRequest): Response {
  if (ServiceError.is(error)) {
    // An extension may carry its own copy of the class, with codes of another version.
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
  return errorAnswer("INTERNAL", "The host failed to answer; its log says why");
}
