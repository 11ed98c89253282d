import type { ApiErrorCode, NextAction } from "@incipit/schema";

const brand = Symbol.for("incipit.ServiceError");

/** A request that a service cannot meet; `code` decides the HTTP status. Recognise it with `ServiceError.is`. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly [brand] = true;
  readonly code: ApiErrorCode;
  readonly details: unknown;
  /** What can be done about it; the message does not say that. */
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
      return false; // A proxy answers for it, and throws.
    }
  }
}
