import { KernelError } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";

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
