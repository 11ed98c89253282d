/**
 * The endpoint's name up to its first dot. Two spellings that the protocol itself uses map to the key of stored
 * conversations.
 */
export function metadataKey(id: string): string {
  const [name = ""] = id.split(".");
  const trimmed = name.trim();
  const camelCase = trimmed.replaceAll(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return camelCase === "openaiCompatible" ? camelCase : trimmed;
}
