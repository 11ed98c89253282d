/** A tag as the host reads it: docs/guide/templates.md */
export interface TemplateTag {
  /** `escaped`: text that looks like a tag, behind a backslash. */
  readonly kind: "variable" | "if" | "else" | "endif" | "escaped";
  readonly from: number;
  readonly to: number;
  /** `type:name`; empty where the tag has none. */
  readonly variable: string;
}

const bracketed = /\\?\[([^[\]\r\n]*)\]/g;
const variableShape = /^\w+:(?!\/\/)[^]+$/;
const conditionShape = /^if\s+!?(\w+:(?!\/\/)[^]+)$/;

/** The tags of a text in their order; `offset` is where the text begins. */
export function tagsOf(text: string, offset = 0): readonly TemplateTag[] {
  const tags: TemplateTag[] = [];
  for (const { 0: whole, 1: inner = "", index } of text.matchAll(bracketed)) {
    const read = readTag(inner.trim());
    if (read === undefined) continue;
    const place = { from: offset + index, to: offset + index + whole.length };
    tags.push(whole.startsWith("\\") ? { kind: "escaped", variable: "", ...place } : { ...read, ...place });
  }
  return tags;
}

/** Whether `[text]` would be a variable. */
export function isVariable(text: string): boolean {
  const [tag] = tagsOf(`[${text}]`);
  return tag?.kind === "variable" && tag.to - tag.from === text.length + 2;
}

function readTag(inner: string): Pick<TemplateTag, "kind" | "variable"> | undefined {
  if (inner === "else" || inner === "endif") return { kind: inner, variable: "" };
  if (variableShape.test(inner)) return { kind: "variable", variable: inner };
  const variable = conditionShape.exec(inner)?.[1];
  return variable === undefined ? undefined : { kind: "if", variable };
}

/** An `[if]` with its `[endif]`, and with its `[else]` where it has one. */
interface TemplateBlock {
  readonly open: TemplateTag;
  readonly otherwise: TemplateTag | undefined;
  readonly close: TemplateTag;
}

/** Blocks that are whole, inner ones first; what is open or stray is text, and in none. */
export function blocksOf(tags: readonly TemplateTag[]): readonly TemplateBlock[] {
  const blocks: TemplateBlock[] = [];
  const opened: { readonly open: TemplateTag; otherwise: TemplateTag | undefined }[] = [];
  for (const tag of tags) {
    const innermost = opened.at(-1);
    if (tag.kind === "if") opened.push({ open: tag, otherwise: undefined });
    else if (tag.kind === "else" && innermost !== undefined) innermost.otherwise ??= tag;
    else if (tag.kind === "endif" && innermost !== undefined) {
      opened.pop();
      blocks.push({ ...innermost, close: tag });
    }
  }
  return blocks;
}
