/** An answer of a vendor that is no reply, as its pages and the reports of its users have it, and what it means. */
export interface VendorError {
  /** 200: the stream had begun. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** A code of `ModelFailure`. */
  readonly code: string;
  readonly retryAfterMs?: number;
}
