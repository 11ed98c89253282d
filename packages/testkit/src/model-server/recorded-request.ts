import type { ReplyUsage } from "./wire/model-reply.ts";
import type { WireName } from "./wire/wire-format.ts";

/** A request to the recording model server, and its outcome. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As received, byte for byte. */
  readonly body: string;
  /** `performance.now()` when the request was complete, and when the last byte of the response was written. */
  readonly receivedAtMs: number;
  readonly firstByteAtMs: number | undefined;
  readonly endedAtMs: number | undefined;
  /** The client closed the connection before the response was complete. */
  readonly isAborted: boolean;
  /** The format of a model call; `undefined` for other requests. */
  readonly wire: WireName | undefined;
  readonly isStreamed: boolean;
  /** Usage reported in the response; `undefined`: none. */
  readonly usage: ReplyUsage | undefined;
}

/** A request whose response is in progress. */
export type OpenRequest = { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] };
