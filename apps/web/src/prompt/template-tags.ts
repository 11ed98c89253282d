/** A tag in the host's syntax: docs/guide/templates.md */
export interface TemplateTag {
  /** `escaped` is text that looks like a tag, after a backslash. */
  readonly kind: "variable" | "if" | "else" | "endif" | "escaped";
  readonly from: number;
  readonly to: number;
  readonly variable: string;
}

const bracketed = /\\?\[([^[\]\r\n]*)\]/g;
const variableShape = /^\w+:(?!\/\/)[^]+$/;
const conditionShape = /^if\s+!?(\w+:(?!\/\/)[^]+)$/;

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

interface TemplateBlock {
  readonly open: TemplateTag;
  readonly otherwise: TemplateTag | undefined;
  readonly close: TemplateTag;
}

/** Inner blocks first; unmatched tags are text. */
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
