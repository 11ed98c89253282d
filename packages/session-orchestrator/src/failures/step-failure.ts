import type { Redactor } from "@incipit/redaction";
import type { Failure } from "@incipit/schema";
import { ServiceError, type ModelFailure } from "@incipit/service-contract";
import { errorMessage, KernelError, settledError } from "@incipit/kernel";

/** Longest text that says what failed, in UTF-16 units; the rest is cut off. */
export const maxFailureLength = 20_000;

/** What ended a turn, as its last event tells it. What an extension throws may quote a key that it was given. */
export function toFailure(error: unknown, redactor: Redactor): Failure {
  const { code, message } = described(error);
  return { code, message: redactor.redact(message) };
}

function described(error: unknown): Failure {
  if (error instanceof StepFailure) return { code: error.failure.code, message: error.failure.message };
  const { code, message } = settledError(error) ?? (ServiceError.is(error) ? error : {});
  if (typeof code === "string" && typeof message === "string")
    return { code, message: message.slice(0, maxFailureLength) };
  return { code: "INTERNAL", message: errorMessage(error).slice(0, maxFailureLength) };
}

/** Whether the same call may be made again; a provider that was swapped out too late says so too. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof StepFailure) return error.failure.isRetryable;
  return KernelError.is(error) && error.retryable;
}

/** A model call that did not end with `finish`. */
export class StepFailure extends Error {
  override readonly name = "StepFailure";
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure) {
    super(failure.message);
    this.failure = failure;
  }
}
