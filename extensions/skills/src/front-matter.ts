import { readKeys, splitFrontMatter } from "@incipit/common/front-matter";

export type FrontMatter =
  | { readonly kind: "parsed"; readonly keys: ReadonlyMap<string, unknown>; readonly body: string }
  | { readonly kind: "none"; readonly body: string }
  | { readonly kind: "wrong"; readonly reason: string };

const texts = ["name", "description", "model", "argument-hint"] as const;

export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const split = splitFrontMatter(text);
  if (split === undefined) return { kind: "none", body: text };
  if (split === "unclosed")
    return { kind: "wrong", reason: 'its front matter has no end: no line "---" follows the first one' };
  const read = await readKeys(text.slice(split.yaml.start, split.yaml.end), texts);
  if (read.kind === "keys") return { kind: "parsed", keys: read.keys, body: text.slice(split.body.start) };
  // The first line is the opening `---`.
  return { kind: "wrong", reason: `line ${read.line + 1} of its front matter: ${read.reason}` };
}
