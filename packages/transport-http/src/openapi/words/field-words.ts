/** What a field is, by where it stands: `field`, `outer.field`, or with what it belongs to in front, `Conversation.title`. */
export type FieldWords = Readonly<Record<string, string>>;

/** The same words for fields of several shapes, or within several fields. */
export function under(owners: readonly string[], words: FieldWords): FieldWords {
  const entries = Object.entries(words);
  return Object.fromEntries(owners.flatMap((owner) => entries.map(([field, text]) => [`${owner}.${field}`, text])));
}
