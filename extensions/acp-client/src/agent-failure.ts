import { shorten } from "@incipit/common";
import { errorMessage, KernelError } from "@incipit/kernel";
import { ServiceError, type ModelFailure } from "@incipit/service-contract";

const maxLength = 1_000;

export class AgentFailure extends Error {
  override readonly name = "AgentFailure";
  readonly code: string;
  readonly isRetryable: boolean;

  constructor(
    code: string,
    message: string,
    options: { readonly cause?: unknown; readonly isRetryable?: boolean } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.isRetryable = options.isRetryable ?? false;
  }
}

export function shortened(text: string, most = maxLength): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return shorten(line, most);
}

/** Errors of the host keep their code. */
export function toModelFailure(error: unknown, redact: (text: string) => string): ModelFailure {
  const message = redact(errorMessage(error));
  if (error instanceof AgentFailure) return { code: error.code, message, isRetryable: error.isRetryable };
  const code = KernelError.is(error) || ServiceError.is(error) ? error.code : "FAILED";
  return { code, message, isRetryable: false };
}
