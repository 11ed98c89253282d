import type { ServiceReference } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";

/** @throws {ServiceError} `SERVICE_UNAVAILABLE` that names what is missing. */
export function need<Service extends object>({ current }: ServiceReference<Service>, name: string): Service {
  if (current !== undefined) return current;
  const message = `There is no ${name} at this moment; load the extension that provides it (GET /extensions)`;
  throw new ServiceError("SERVICE_UNAVAILABLE", message);
}
