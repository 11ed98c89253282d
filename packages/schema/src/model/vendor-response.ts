/** Metadata of a reply as reported by the vendor. */
export interface VendorResponse {
  readonly id?: string;
  /** Model name as reported: possibly a snapshot of the requested model, or another model. */
  readonly model?: string;
}
