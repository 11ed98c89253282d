import type { EmbeddingReply, EmbeddingRequest } from "@incipit/service-contract";

export interface EmbeddingsFormat {
  /** Relative to the endpoint, without a leading slash. */
  path(model: string): string;
  takesField(field: string): boolean;
  /** Returns why the vendor would reject a request, if its own message is not clear. */
  refusal?(request: EmbeddingRequest): string | undefined;
  toBody(request: EmbeddingRequest): object;
  /** `undefined` for an invalid answer. */
  toReply(answer: unknown, request: EmbeddingRequest): Extract<EmbeddingReply, { kind: "embedded" }> | undefined;
}
