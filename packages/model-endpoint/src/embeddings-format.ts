import type { EmbeddingReply, EmbeddingRequest } from "@incipit/service-contract";

/** How a vendor's API is asked for vectors, and answers. */
export interface EmbeddingsFormat {
  /** Behind the endpoint's address, without a slash before it. */
  path(model: string): string;
  /** Whether it has a field that a caller may want sent as it is written. */
  takesField(field: string): boolean;
  /** Why it would not take a request as it is, and what to do, where its own words do not say so; absent: it takes all. */
  refusal?(request: EmbeddingRequest): string | undefined;
  toBody(request: EmbeddingRequest): object;
  /** `undefined`: it is no answer to this request. */
  toReply(answer: unknown, request: EmbeddingRequest): Extract<EmbeddingReply, { kind: "embedded" }> | undefined;
}
