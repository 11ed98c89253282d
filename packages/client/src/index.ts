export { ApiClientError, type ApiClientErrorCode } from "@incipit/transport-contract/http";
export type { Endpoint, EndpointAnswer, EndpointInput } from "@incipit/transport-contract";
export { createClient, type Client, type IncipitClientOptions } from "./client.ts";
export type { Connection, RetryOptions } from "./retry.ts";
