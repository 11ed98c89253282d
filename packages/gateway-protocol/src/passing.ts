import { KernelError } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";

/** What is not there at the moment, such as storage, or an orchestrator that is swapped. */
const passing = new Set<string>([
  "SERVICE_UNAVAILABLE",
  "GENERATION_GONE",
  "SCOPE_CLOSED",
  "STORAGE_FAILED",
  "TIMEOUT",
]);

/** The code of an error that a service or the kernel has given; `undefined`: it is none of theirs. */
export function codeOf(error: unknown): string | undefined {
  return ServiceError.is(error) || KernelError.is(error) ? error.code : undefined;
}

/** Whether the same may go well later. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined || passing.has(code);
}
