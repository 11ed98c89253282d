/** A vendor's error response, from its documentation and user reports, and its meaning. */
export interface VendorError {
  /** 200: within a stream. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** A code of `ModelFailure`. */
  readonly code: string;
  readonly retryAfterMs?: number;
}
