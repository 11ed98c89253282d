import type { ApiErrorCode, NextAction } from "@incipit/schema";

/**
 * A code of the API, or what only a caller can see. `UNREADABLE`: the answer was not one of this API's. `UNREACHABLE`:
 * there was no answer, or it was cut off.
 */
export type ApiClientErrorCode = ApiErrorCode | "UNREADABLE" | "UNREACHABLE";

/** A call that did not end as its route says. */
export class ApiClientError extends Error {
  override readonly name = "ApiClientError";
  readonly code: ApiClientErrorCode;
  /** 0 when there was no answer. */
  readonly status: number;
  /** What the answer said beside code and message. */
  readonly details: unknown;
  /** What can be done about it. */
  readonly next: NextAction | undefined;

  constructor(
    code: ApiClientErrorCode,
    message: string,
    options: {
      readonly status: number;
      readonly details?: unknown;
      readonly next?: NextAction | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status;
    this.details = options.details;
    this.next = options.next;
  }
}

/** What the host answered is not what this version knows. */
export function unreadable(status: number, text: string): ApiClientError {
  const message = `The host answered ${status} with what this version does not know: ${text.slice(0, 200)}`;
  return new ApiClientError("UNREADABLE", message, { status });
}
