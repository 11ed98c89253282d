/**
 * Where what an endpoint wants back is kept with a part: under the endpoint's name up to its first dot. Two spellings of a name
 * that the protocol itself goes by share the one that stored conversations have.
 */
export function metadataKey(id: string): string {
  const [name = ""] = id.split(".");
  const trimmed = name.trim();
  const camelCase = trimmed.replaceAll(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return camelCase === "openaiCompatible" ? camelCase : trimmed;
}
