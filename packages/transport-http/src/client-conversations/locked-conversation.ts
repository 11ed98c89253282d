import type { ClientItem, ResponseObject } from "@incipit/transport-contract";
import { toClientItem, type GivenItem } from "./client-items.ts";

/** A conversation locked by one response. */
export interface LockedConversation {
  readonly id: string;
  /** All items, oldest first. */
  readonly items: readonly ClientItem[];
  /** Appends items and releases the lock; does nothing if the conversation was deleted. @throws {ServiceError} */
  append(items: readonly ClientItem[]): Promise<void>;
  /** Idempotent. */
  letGo(): void;
}

/** Returns the input and output items of a response. */
export function itemsOf(input: readonly GivenItem[], { output }: ResponseObject): readonly ClientItem[] {
  return [...input.map(toClientItem), ...output];
}
