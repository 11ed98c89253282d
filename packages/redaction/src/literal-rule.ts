import type { Rule, Span } from "./rule.ts";

/** A shorter one would hit ordinary words. */
const minLength = 8;

/**
 * Finds one known secret wherever it stands: as it is, in JSON, in JSON that is a text of other JSON, and in a URL.
 * `undefined`: it is too short to be looked for.
 */
export function literalRule(kind: string, secret: string): Rule | undefined {
  if (secret.length < minLength) return undefined;
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inInnerJson = JSON.stringify(inJson).slice(1, -1);
  const forms = [...new Set([inInnerJson, inJson, secret, inUrl(secret)])];
  const longest = Math.max(...forms.map(({ length }) => length));
  return {
    kind,
    overlap: longest,
    find: (text, from) => forms.flatMap((form) => occurrences(text, form, from)),
  };
}

function occurrences(text: string, form: string, from: number): readonly Span[] {
  const found: Span[] = [];
  for (let start = text.indexOf(form, from); start !== -1; start = text.indexOf(form, start + form.length))
    found.push({ start, end: start + form.length });
  return found;
}

function inUrl(secret: string): string {
  return secret.isWellFormed() ? encodeURIComponent(secret) : secret;
}
