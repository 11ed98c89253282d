import type { ReplyUsage } from "./wire/model-reply.ts";
import type { WireName } from "./wire/wire-format.ts";

/** What the recording model server was sent, and what became of it. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As it came, byte for byte. */
  readonly body: string;
  /** `performance.now()` when the request was whole, and when the last byte of the reply was handed over. */
  readonly receivedAtMs: number;
  readonly firstByteAtMs: number | undefined;
  readonly endedAtMs: number | undefined;
  /** The client closed the connection before the reply was whole. */
  readonly isAborted: boolean;
  /** The format of a model call; `undefined`: it is none. */
  readonly wire: WireName | undefined;
  readonly isStreamed: boolean;
  /** What the reply says was used; `undefined`: nothing. */
  readonly usage: ReplyUsage | undefined;
}

/** While its reply is on its way. */
export type OpenRequest = { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] };
