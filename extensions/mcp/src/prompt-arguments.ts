import type { ListedPrompt } from "./listed-prompts.ts";

type Given =
  | {
      readonly kind: "given";
      readonly values: Readonly<Record<string, string>>;
      readonly rest: string;
    }
  | { readonly kind: "refused"; readonly reason: string };

/** An optional `name=`, then a quoted or unspaced value. An unclosed quote is an ordinary character. */
const wordPattern = /(?:([^\s"'=]+)=)?(?:"([^"]*)"(?=\s|$)|'([^']*)'(?=\s|$)|(\S+))/g;

/**
 * A single argument takes the whole text. Several are words, optionally quoted: `name=value` sets the named argument,
 * and others fill the rest in order.
 */
export function promptArguments({ arguments: known }: Pick<ListedPrompt, "arguments">, given: string): Given {
  const typed = given.toWellFormed().trim();
  const values = new Map<string, string>();
  const [only] = known;
  if (only === undefined) return { kind: "given", values: {}, rest: typed };
  if (known.length === 1) {
    if (typed !== "") values.set(only.name, typed);
  } else {
    const refused = takeWords(known, typed, values);
    if (refused !== undefined) return { kind: "refused", reason: refused };
  }
  const missing = known.filter(({ name, isRequired }) => isRequired && !values.has(name));
  if (missing.length > 0) {
    const names = missing.map(({ name }) => `"${name}"`).join(", ");
    return { kind: "refused", reason: `it needs ${names}; write: ${usageOf(known)}` };
  }
  return { kind: "given", values: Object.fromEntries(values), rest: "" };
}

export function usageOf(known: ListedPrompt["arguments"]): string | null {
  if (known.length === 0) return null;
  return known.map(({ name, isRequired }) => (isRequired ? name : `[${name}]`)).join(" ");
}

function takeWords(
  known: ListedPrompt["arguments"],
  typed: string,
  values: Map<string, string>,
): string | undefined {
  const others: string[] = [];
  for (const [word, name = "", double, single, bare] of typed.matchAll(wordPattern)) {
    if (!known.some((argument) => argument.name === name)) {
      others.push(name === "" ? (double ?? single ?? bare ?? "") : word);
      continue;
    }
    if (values.has(name)) return `its argument "${name}" is given twice`;
    values.set(name, double ?? single ?? bare ?? "");
  }
  const open = known.filter(({ name }) => !values.has(name));
  if (others.length > open.length)
    return `there are ${others.length} words for ${open.length} arguments; quote arguments of several words: ${usageOf(known)}`;
  for (const [index, value] of others.entries()) values.set(open[index]?.name ?? "", value);
  return undefined;
}
