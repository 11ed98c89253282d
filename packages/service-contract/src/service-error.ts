import { KernelError } from "@incipit/kernel";
import type { ApiErrorCode, NextAction } from "@incipit/schema";

const brand = Symbol.for("incipit.ServiceError");

/**
 * A request that a service cannot fulfil. `code` determines the HTTP status. Recognize it with `ServiceError.is`.
 */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly [brand] = true;
  readonly code: ApiErrorCode;
  readonly details: unknown;
  /** A suggested next action, not part of the message. */
  readonly next: NextAction | undefined;

  constructor(
    code: ApiErrorCode,
    message: string,
    options: { readonly details?: unknown; readonly next?: NextAction; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.next = options.next;
  }

  static is(error: unknown): error is ServiceError {
    try {
      return typeof error === "object" && error !== null && brand in error;
    } catch {
      return false; // A proxy whose trap throws.
    }
  }
}

/** Such as unavailable storage, or an orchestrator being swapped. */
const passing = new Set<string>([
  "SERVICE_UNAVAILABLE",
  "GENERATION_GONE",
  "SCOPE_CLOSED",
  "STORAGE_FAILED",
  "TIMEOUT",
]);

/** For service and kernel errors. */
export function codeOf(error: unknown): string | undefined {
  return ServiceError.is(error) || KernelError.is(error) ? error.code : undefined;
}

export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined || passing.has(code);
}
