import type { ModelFailure } from "@incipit/service-contract";

/** A failed call, reported by the last event of its stream. */
export class CallError extends Error {
  override readonly name = "CallError";
  readonly failure: ModelFailure;

  constructor(
    code: string,
    message: string,
    options: Pick<Partial<ModelFailure>, "isRetryable" | "retryAfterMs"> = {},
  ) {
    super(message);
    this.failure = { code, message, isRetryable: false, ...options };
  }
}
