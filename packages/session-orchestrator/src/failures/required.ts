import type { ServiceReference } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";

/** @throws {ServiceError} `SERVICE_UNAVAILABLE`. */
export function required<Service extends object>({ current }: ServiceReference<Service>, name: string): Service {
  if (current === undefined) throw unavailable(name);
  return current;
}

export function unavailable(name: string): ServiceError {
  const message = `${name} is not available; load an extension that provides it`;
  return new ServiceError("SERVICE_UNAVAILABLE", message, { next: { action: "list-extensions" } });
}
