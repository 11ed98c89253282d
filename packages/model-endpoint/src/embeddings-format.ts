import type { EmbeddingReply, EmbeddingRequest } from "@incipit/service-contract";

/** A vendor's embedding API. */
export interface EmbeddingsFormat {
  /** Path relative to the endpoint, without a leading slash. */
  path(model: string): string;
  /** Whether a caller may send a vendor field. */
  takesField(field: string): boolean;
  /** Returns why the vendor would reject a request, if its own message is not clear. */
  refusal?(request: EmbeddingRequest): string | undefined;
  toBody(request: EmbeddingRequest): object;
  /** Returns `undefined` for an invalid answer. */
  toReply(answer: unknown, request: EmbeddingRequest): Extract<EmbeddingReply, { kind: "embedded" }> | undefined;
}
