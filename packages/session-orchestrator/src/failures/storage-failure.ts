import { errorMessage, KernelError } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";

export async function withServiceErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toServiceError(error);
  }
}

export function toServiceError(error: unknown): ServiceError {
  if (ServiceError.is(error)) return error;
  const message = errorMessage(error);
  if (KernelError.is(error)) {
    const isDamage = error.code === "STORED_VALUE_INVALID";
    return new ServiceError(isDamage ? "STORED_DATA_DAMAGED" : "SERVICE_UNAVAILABLE", message, { cause: error });
  }
  return new ServiceError("STORAGE_FAILED", message, { cause: error });
}
