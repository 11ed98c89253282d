import type { ApiErrorCode, NextAction } from "@incipit/schema";

/**
 * An API error code, or a client-side one. `UNREADABLE`: the response is not from this API. `UNREACHABLE`: no
 * response, or a truncated one.
 */
export type ApiClientErrorCode = ApiErrorCode | "UNREADABLE" | "UNREACHABLE";

/** A failed API call. */
export class ApiClientError extends Error {
  override readonly name = "ApiClientError";
  readonly code: ApiClientErrorCode;
  /** 0 without a response. */
  readonly status: number;
  /** Additional data of the error. */
  readonly details: unknown;
  /** Suggested next action. */
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

/** Creates an error for an unknown response format. */
export function unreadable(status: number, text: string): ApiClientError {
  const message = `The host answered ${status} with a response that this version does not understand: ${text.slice(0, 200)}`;
  return new ApiClientError("UNREADABLE", message, { status });
}
