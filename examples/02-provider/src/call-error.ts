import type { ModelFailure } from "@incipit/service-contract";

/** A call that went wrong, as the last event of its stream tells it. */
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
