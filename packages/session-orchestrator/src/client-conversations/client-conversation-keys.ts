/** Padded, because keys sort by bytes. */
const numberDigits = 12;

export const clientConversationKeys = {
  conversation: (id: string): string => `conversation:${id}`,
  /** Changes with every change of the items, for optimistic concurrency. */
  head: (id: string): string => `head:${id}`,
  item: (id: string, number: number): string => `item:${id}:${String(number).padStart(numberDigits, "0")}`,
  items: (id: string): string => `item:${id}:`,
  place: (id: string, itemId: string): string => `place:${id}:${itemId}`,
  places: (id: string): string => `place:${id}:`,
  deleted: (id: string): string => `deleted:${id}`,
  allDeleted: "deleted:",
} as const;
