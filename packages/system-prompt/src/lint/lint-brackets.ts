import type { LintFindings } from "./lint-findings.ts";
import type { KnownVariables } from "./known-variables.ts";
import { shown } from "./shown-name.ts";
import type { Brackets, Span } from "../template/template-tag.ts";

/** Longer text is no misspelled tag. */
const maxLooked = 200;

const closings: ReadonlySet<string> = new Set([
  "end",
  "fi",
  "/if",
  "end if",
  "end-if",
  "end_if",
  "endfi",
  "endiff",
  "edif",
]);
const elses: ReadonlySet<string> = new Set(["els", "esle", "elese", "otherwise"]);

export function lintBrackets(
  template: string,
  { brackets, variables }: { readonly brackets: Brackets; readonly variables: KnownVariables },
  findings: LintFindings,
): void {
  const hasBlocks = brackets.tags.some(({ role }) => role !== "insert");
  for (const span of brackets.text) {
    if (span.end - span.start > maxLooked) continue;
    lintText(template.slice(span.start + 1, span.end - 1).trim(), { span, hasBlocks, variables }, findings);
  }
  for (const span of brackets.open) {
    const begun = template.slice(span.start + 1, Math.min(span.end, span.start + maxLooked));
    const [, type = ""] = /^\s*(?:if\s+!?)?(\w+):(?!\/\/)\S/.exec(begun) ?? [];
    if (!variables.hasType(type)) continue;
    const isNested = template[span.end] === "[";
    findings.add("warning", "not-a-tag", span, () => ({
      message: `"${shown(`[${begun}`)}" is text, not a tag: ${isNested ? "a name holds no bracket" : "there is no ] on its line"}`,
      fix: isNested
        ? "Take the bracket out of the name, or write a backslash before the first one"
        : "Close it with ], or write a backslash before the bracket",
    }));
  }
}

function lintText(
  text: string,
  {
    span,
    hasBlocks,
    variables,
  }: { readonly span: Span; readonly hasBlocks: boolean; readonly variables: KnownVariables },
  findings: LintFindings,
): void {
  const lower = text.toLowerCase();
  const add = (meant: string | undefined, message: string): void => {
    findings.add("warning", "not-a-tag", span, () => ({
      message: `[${shown(text)}] is text, not a tag: ${message}`,
      fix: meant === undefined ? "Write [if type:name] or [if !type:name]" : `Did you mean ${shown(meant)}?`,
      ...(meant === undefined ? {} : { replacement: meant }),
    }));
  };
  if (hasBlocks && (lower === "endif" || closings.has(lower))) return add("[endif]", "a block ends with [endif]");
  if (hasBlocks && (lower === "else" || elses.has(lower)))
    return add("[else]", "the other branch begins with [else]");
  if (hasBlocks && /^(?:elif|else\s*if)\b/.test(lower))
    return add(undefined, "an [else] has no condition of its own; put an [if] into it");
  const [, sign, condition = ""] = /^if(?=[\s!])\s*(!?)\s*(.*)$/is.exec(text) ?? [];
  const [, type = ""] = /^(\w+)(?::|$)/.exec(condition) ?? [];
  if (sign === undefined || !variables.hasType(type)) return;
  const isWhole = condition.length > type.length + 1;
  add(isWhole ? `[if ${sign}${condition}]` : undefined, "a condition is written [if type:name] or [if !type:name]");
}
