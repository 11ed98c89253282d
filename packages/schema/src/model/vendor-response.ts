/** What a vendor says of its reply beside what is in it. */
export interface VendorResponse {
  /** Its own id of the reply. */
  readonly id?: string;
  /** The model that answered, as the vendor names it: it may be a snapshot, or another one than was asked for. */
  readonly model?: string;
}
