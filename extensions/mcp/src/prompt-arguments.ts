import type { ListedPrompt } from "./listed-prompts.ts";

type Given =
  | {
      readonly kind: "given";
      readonly values: Readonly<Record<string, string>>;
      /** What was typed behind a prompt that takes nothing. */
      readonly rest: string;
    }
  /** The end of a sentence about the command. */
  | { readonly kind: "refused"; readonly reason: string };

/** `name=`, and what is in quotes or has no white space. A quote that never ends is a letter. */
const wordPattern = /(?:([^\s"'=]+)=)?(?:"([^"]*)"(?=\s|$)|'([^']*)'(?=\s|$)|(\S+))/g;

/**
 * What was typed behind a command, as a prompt's arguments. One argument is all of the text. Several are words, in quotes where
 * white space belongs to them: `name=value` for the argument of that name, and the others for those that are left, in their
 * order.
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

/** What is typed behind the command, as people read it; `null`: nothing. */
export function usageOf(known: ListedPrompt["arguments"]): string | null {
  if (known.length === 0) return null;
  return known.map(({ name, isRequired }) => (isRequired ? name : `[${name}]`)).join(" ");
}

/** @returns what is wrong with them; `undefined`: nothing. */
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
    if (values.has(name)) return `its argument "${name}" is there twice`;
    values.set(name, double ?? single ?? bare ?? "");
  }
  const open = known.filter(({ name }) => !values.has(name));
  if (others.length > open.length)
    return `there are ${others.length} words for ${open.length} arguments; put words that belong together into quotes: ${usageOf(known)}`;
  for (const [index, value] of others.entries()) values.set(open[index]?.name ?? "", value);
  return undefined;
}
