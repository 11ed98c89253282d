import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { PageQuery, PromptConstruction, PromptDrift, TokenCount } from "@incipit/schema";
import type { Page } from "./conversations.ts";
import type { PromptContext } from "./system-prompt.ts";

/** Difference between the stored prompt and a new construction, without the cost of a rebuild. */
export interface PromptDifference extends Omit<PromptDrift, "rebuildCost"> {
  /** `null` if the texts are equal. */
  readonly firstChangedByte: number | null;
  /** Tokens of the new text from the first changed byte on. */
  readonly tokensBehind: TokenCount;
  /** Tokens of the stored text. */
  readonly keptTokens: TokenCount;
}

/** Past prompts of conversations, and their drift. */
export interface PromptHistory {
  /** Lists all constructions of a conversation, oldest first. */
  constructions(conversationId: string, page: PageQuery): Promise<Page<PromptConstruction>>;
  /** Returns the text of a construction. @throws {ServiceError} `PROMPT_UNKNOWN`. */
  constructedText(conversationId: string, sha256: string): Promise<string>;
  /** Compares with a new construction, without storing it; `null` if none was constructed. */
  drift(conversationId: string, cwd: string, context?: PromptContext): Promise<PromptDifference | null>;
}

export const promptHistoryHandle: ServiceHandle<PromptHistory> = defineHandle<PromptHistory>("prompt-history@1", {
  constructions: "function",
  constructedText: "function",
  drift: "function",
});
