import { ServiceError } from "@incipit/service-contract";

/** A request of which one field is wrong; `field` as in `messages.0.content`. */
export function invalidField(field: string, rule: string): ServiceError {
  return new ServiceError("INVALID_REQUEST", `The request is not valid: "${field}": ${rule}`, {
    details: [{ field: `"${field}"`, message: rule }],
  });
}
