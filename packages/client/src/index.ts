export { ApiClientError, type ApiClientErrorCode } from "@incipit/transport-contract/http";
export { createClient, type Client, type IncipitClientOptions } from "./client.ts";
export type { Endpoint, EndpointAnswer, EndpointInput } from "./endpoint.ts";
export type { Connection, RetryOptions } from "./retry.ts";
