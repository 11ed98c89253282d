import type { ReplyUsage } from "./wire/model-reply.ts";
import type { WireName } from "./wire/wire-format.ts";

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Byte for byte. */
  readonly body: string;
  /** `performance.now()` of the complete request, and of the response's last byte. */
  readonly receivedAtMs: number;
  readonly firstByteAtMs: number | undefined;
  readonly endedAtMs: number | undefined;
  /** By the client, before the response was complete. */
  readonly isAborted: boolean;
  /** `undefined` if not a model call. */
  readonly wire: WireName | undefined;
  readonly isStreamed: boolean;
  /** As reported; `undefined`: none. */
  readonly usage: ReplyUsage | undefined;
}

/** The response is in progress. */
export type OpenRequest = { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] };
