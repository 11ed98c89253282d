import type { ClientItem, ResponseObject } from "@incipit/transport-contract";
import { toClientItem, type GivenItem } from "./client-items.ts";

/** A conversation that one response has for itself. */
export interface HeldConversation {
  readonly id: string;
  /** All of them, oldest first. */
  readonly items: readonly ClientItem[];
  /** Adds what came of the response, and lets go; nothing when the conversation was deleted meanwhile. @throws {ServiceError} */
  append(items: readonly ClientItem[]): Promise<void>;
  /** Any number of times. */
  letGo(): void;
}

/** What came of a response: what came with it, and what the model said. */
export function itemsOf(input: readonly GivenItem[], { output }: ResponseObject): readonly ClientItem[] {
  return [...input.map(toClientItem), ...output];
}
