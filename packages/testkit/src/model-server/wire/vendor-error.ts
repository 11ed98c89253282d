/** From documentation and user reports. */
export interface VendorError {
  /** 200: within a stream. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly code: string;
  readonly retryAfterMs?: number;
}
