import { errorMessage, KernelError, type ServiceReference } from "@incipit/kernel";
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

export function conversationUnknown(id: string): ServiceError {
  const next = { action: "list-conversations" } as const;
  return new ServiceError("CONVERSATION_UNKNOWN", `No conversation has the id "${id}"`, { next });
}

/** @throws {ServiceError} `SERVICE_UNAVAILABLE`. */
export function required<Service extends object>({ current }: ServiceReference<Service>, name: string): Service {
  if (current === undefined) throw unavailable(name);
  return current;
}

export function unavailable(name: string): ServiceError {
  const message = `${name} is not available; load an extension that provides it`;
  return new ServiceError("SERVICE_UNAVAILABLE", message, { next: { action: "list-extensions" } });
}
