import { defineHandle, type ServiceHandle } from "@incipit/kernel";

export interface HttpEndpoint {
  /** Such as `http://127.0.0.1:4140`, with the actual port. */
  readonly url: string;
}

export const httpEndpointHandle: ServiceHandle<HttpEndpoint> = defineHandle<HttpEndpoint>("http-endpoint@1", {
  url: "string",
});
