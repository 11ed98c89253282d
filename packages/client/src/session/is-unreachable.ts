import { ApiClientError } from "@incipit/transport-contract/http";

/** No response, or a truncated one: the host may have ended or been replaced. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiClientError && error.code === "UNREACHABLE";
}
