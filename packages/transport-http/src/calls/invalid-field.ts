import { ServiceError } from "@incipit/service-contract";

/** Creates an error for one field, such as `messages.0.content`. */
export function invalidField(field: string, rule: string): ServiceError {
  return new ServiceError("INVALID_REQUEST", `The request is not valid: "${field}": ${rule}`, {
    details: [{ field: `"${field}"`, message: rule }],
  });
}
