import type { Redactor } from "@incipit/redaction";
import type { Failure } from "@incipit/schema";
import { ServiceError, type ModelFailure } from "@incipit/service-contract";
import { errorMessage, KernelError, readKernelError } from "@incipit/kernel";

/** In UTF-16 units; longer messages are truncated. */
export const maxFailureLength = 20_000;

/** Redacts the message: an extension's error may quote its API key. */
export function toFailure(error: unknown, redactor: Redactor): Failure {
  const { code, message } = described(error);
  return { code, message: redactor.redact(message) };
}

function described(error: unknown): Failure {
  if (error instanceof StepFailure) return { code: error.failure.code, message: error.failure.message };
  const { code, message } = readKernelError(error) ?? (ServiceError.is(error) ? error : {});
  if (typeof code === "string" && typeof message === "string")
    return { code, message: message.slice(0, maxFailureLength) };
  return { code: "INTERNAL", message: errorMessage(error).slice(0, maxFailureLength) };
}

/** Includes a provider swapped out during the call. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof StepFailure) return error.failure.isRetryable;
  return KernelError.is(error) && error.retryable;
}

export class StepFailure extends Error {
  override readonly name = "StepFailure";
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure) {
    super(failure.message);
    this.failure = failure;
  }
}
