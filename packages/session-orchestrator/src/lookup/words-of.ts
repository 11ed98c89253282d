/**
 * The words of a text, as they are compared: without case and accents; `createIssue` and `create_issue` have the same ones.
 * What has more than `maxLength` UTF-16 units counts up to there.
 */
export function wordsOf(text: string, { maxLength }: { readonly maxLength: number }): readonly string[] {
  const apart = text.slice(0, maxLength).replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, " ");
  const folded = apart.normalize("NFKD").replaceAll(/\p{M}+/gu, "").toLowerCase();
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}
