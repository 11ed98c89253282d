import type { MessagePart } from "./message-part.ts";

/** A message as sent to a model. */
export interface ModelMessage {
  readonly role: "user" | "assistant" | "tool";
  /** Contains reasoning and metadata only for the provider that generated them. */
  readonly parts: readonly MessagePart[];
  /** PROVIDER/MODEL; only for assistant messages. */
  readonly model?: string;
}
