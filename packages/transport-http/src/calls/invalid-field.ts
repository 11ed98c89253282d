import { ServiceError } from "@incipit/service-contract";

export function invalidField(field: string, rule: string): ServiceError {
  return new ServiceError("INVALID_REQUEST", `The request is not valid: "${field}": ${rule}`, {
    details: [{ field: `"${field}"`, message: rule }],
  });
}
