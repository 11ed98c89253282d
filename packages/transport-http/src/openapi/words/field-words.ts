/**
 * Descriptions by field: `field`, `outer.field`, or prefixed with its schema or operation, such as
 * `Conversation.title`.
 */
export type FieldWords = Readonly<Record<string, string>>;

/** Applies the same descriptions to fields of several schemas, or within several fields. */
export function under(owners: readonly string[], words: FieldWords): FieldWords {
  const entries = Object.entries(words);
  return Object.fromEntries(owners.flatMap((owner) => entries.map(([field, text]) => [`${owner}.${field}`, text])));
}
