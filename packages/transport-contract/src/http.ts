/** HTTP client without schemas. */
export { ApiClientError, unreadable, type ApiClientErrorCode } from "./http/api-client-error.ts";
export { parseJson, Requests, type CallOptions, type ClientOptions } from "./http/requests.ts";
