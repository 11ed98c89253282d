import type { MessagePart } from "./message-part.ts";

/** What was said, as a model gets it. */
export interface ModelMessage {
  readonly role: "user" | "assistant" | "tool";
  /** Reasoning and metadata are there only for the provider that said them. */
  readonly parts: readonly MessagePart[];
  /** PROVIDER/MODEL that said it; only of an assistant's message. */
  readonly model?: string;
}
