import type { ClientItem, ResponseObject } from "@incipit/transport-contract";
import { toClientItem, type GivenItem } from "./client-items.ts";

export interface LockedConversation {
  readonly id: string;
  readonly items: readonly ClientItem[];
  /** Releases the lock; does nothing if the conversation was deleted. */
  append(items: readonly ClientItem[]): Promise<void>;
  letGo(): void;
}

export function itemsOf(input: readonly GivenItem[], { output }: ResponseObject): readonly ClientItem[] {
  return [...input.map(toClientItem), ...output];
}
