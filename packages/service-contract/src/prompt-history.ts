import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { PageQuery, PromptConstruction, PromptDrift, TokenCount } from "@incipit/schema";
import type { Page } from "./conversations.ts";
import type { PromptContext } from "./system-prompt.ts";

/** What construction would give against what is kept; what a rebuild costs beside the prompt is not known here. */
export interface PromptDifference extends Omit<PromptDrift, "rebuildCost"> {
  /** `null`: nothing changes. */
  readonly firstChangedByte: number | null;
  /** The tokens of the new text, from the first changed byte on. */
  readonly tokensBehind: TokenCount;
  /** The tokens of the whole kept text. */
  readonly keptTokens: TokenCount;
}

/** The prompts that conversations had, and what theirs would be at this moment. */
export interface PromptHistory {
  /** Every construction of a conversation, oldest first; none: never constructed. */
  constructions(conversationId: string, page: PageQuery): Promise<Page<PromptConstruction>>;
  /** The text of one of them. @throws {ServiceError} `PROMPT_UNKNOWN`. */
  constructedText(conversationId: string, sha256: string): Promise<string>;
  /** `null`: never constructed. Nothing is stored. */
  drift(conversationId: string, cwd: string, context?: PromptContext): Promise<PromptDifference | null>;
}

export const promptHistoryHandle: ServiceHandle<PromptHistory> = defineHandle<PromptHistory>("prompt-history@1", {
  constructions: "function",
  constructedText: "function",
  drift: "function",
});
