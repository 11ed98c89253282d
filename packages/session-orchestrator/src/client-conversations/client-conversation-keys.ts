/** Digits of an item's number: keys are in the order of their bytes. */
const numberDigits = 12;

export const clientConversationKeys = {
  conversation: (id: string): string => `conversation:${id}`,
  /** Changes with each change of the items: who has read them writes only while it is the same. */
  head: (id: string): string => `head:${id}`,
  item: (id: string, number: number): string => `item:${id}:${String(number).padStart(numberDigits, "0")}`,
  items: (id: string): string => `item:${id}:`,
  /** Where an item is, by its own id. */
  place: (id: string, itemId: string): string => `place:${id}:${itemId}`,
  places: (id: string): string => `place:${id}:`,
  /** Conversations that are gone, of which something is left. */
  deleted: (id: string): string => `deleted:${id}`,
  allDeleted: "deleted:",
} as const;
