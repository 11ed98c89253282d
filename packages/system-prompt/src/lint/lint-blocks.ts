import type { FindingText, LintFindings } from "./lint-findings.ts";
import { shown } from "./shown-name.ts";
import type { TemplateTag } from "../template/template-tag.ts";
import { builtInFacts } from "../variables/built-in-variables.ts";

interface OpenBlock {
  readonly tag: TemplateTag;
  readonly outside: boolean | undefined;
  otherwise: TemplateTag | undefined;
  hasBlocks: boolean;
}

export interface KnownHere {
  readonly hasValue: (variable: string) => boolean | undefined;
}

/**
 * Reports unbalanced tags, and conditions that are constant or have no effect. Calls `onTag` for each variable tag
 * with the state of variables there.
 */
export function lintBlocks(
  { template, tags }: { readonly template: string; readonly tags: readonly TemplateTag[] },
  findings: LintFindings,
  onTag: (tag: TemplateTag, known: KnownHere) => void,
): void {
  const facts = new Map<string, boolean>();
  const open: OpenBlock[] = [];
  const known: KnownHere = { hasValue: (variable) => facts.get(variable) };
  const setFact = (variable: string, hasValue: boolean | undefined): void => {
    if (hasValue === undefined) facts.delete(variable);
    else facts.set(variable, hasValue);
  };

  for (const tag of tags) {
    switch (tag.role) {
      case "insert":
        onTag(tag, known);
        break;
      case "if": {
        onTag(tag, known);
        lintCondition(tag, facts.get(tag.variable), findings);
        const outer = open.at(-1);
        if (outer !== undefined) outer.hasBlocks = true;
        open.push({ tag, outside: facts.get(tag.variable), otherwise: undefined, hasBlocks: false });
        facts.set(tag.variable, !tag.isNegated);
        break;
      }
      case "else": {
        const block = open.at(-1);
        if (block === undefined) break;
        block.otherwise = tag;
        facts.set(block.tag.variable, block.tag.isNegated);
        break;
      }
      case "endif": {
        const block = open.pop();
        if (block === undefined) break;
        setFact(block.tag.variable, block.outside);
        lintBranches({ template, block, end: tag }, findings);
        break;
      }
      default:
        lintStray(tag, findings);
    }
  }
}

function lintCondition(tag: TemplateTag, fact: boolean | undefined, findings: LintFindings): void {
  const { variable, isNegated } = tag;
  const isAlways = builtInFacts(variable)?.isAlwaysThere === true;
  if (fact === undefined && !isAlways) return;
  const hasValue = fact ?? true;
  const isTaken = hasValue !== isNegated;
  findings.add("warning", "constant-condition", tag, () => {
    const because = isAlways
      ? "it always has a value"
      : `a condition around it has told already that it has ${hasValue ? "a" : "no"} value here`;
    return {
      message: `This condition is always ${isTaken ? "true" : "false"}: of "${shown(variable)}", ${because}`,
      fix: `Take the condition away, and keep ${isTaken ? "its first branch" : "what stands behind its [else], if anything"}`,
    };
  });
}

/** Only for blocks without nested blocks, so that no text is compared twice. */
function lintBranches(
  { template, block, end }: { readonly template: string; readonly block: OpenBlock; readonly end: TemplateTag },
  findings: LintFindings,
): void {
  const { tag, otherwise, hasBlocks } = block;
  if (hasBlocks) return;
  const first = template.slice(tag.end, otherwise?.start ?? end.start);
  const second = otherwise === undefined ? "" : template.slice(otherwise.end, end.start);
  if (first !== second) return;
  findings.add("warning", "same-branches", { start: tag.start, end: end.end }, () => ({
    message: `This condition makes no difference: ${first === "" ? "there is nothing in it" : "both branches are the same"}`,
    fix: first === "" ? "Take it away, or write what it is for" : "Keep one of the branches, without the condition",
    replacement: first,
  }));
}

const openBlock = "begin the block with [if type:name]; for the text itself write";

/** Tags of an unclosed [if] are reported with it. */
const strays = {
  "stray-else": {
    message: "[else] stands in no [if]: it is text, and the model reads it",
    fix: `Take it away, or ${openBlock} \\[else]`,
    replacement: "",
  },
  "stray-endif": {
    message: "[endif] ends no [if]: it is text, and the model reads it",
    fix: `Take it away, or ${openBlock} \\[endif]`,
    replacement: "",
  },
  "second-else": {
    message: "This is the second [else] of its [if]: it is text of the branch before",
    fix: "Take it away, or put an [if] of its own into the [else]",
    replacement: "",
  },
} as const satisfies Partial<Record<TemplateTag["role"], FindingText>>;

function lintStray(tag: TemplateTag, findings: LintFindings): void {
  const { role, isNegated, variable } = tag;
  if (role === "stray-else" || role === "stray-endif" || role === "second-else")
    findings.add("error", role, tag, () => strays[role]);
  else if (role === "unclosed-if")
    findings.add("error", role, tag, () => ({
      message: `[if ${isNegated ? "!" : ""}${shown(variable)}] has no [endif]: it is text, and the model reads it`,
      fix: "Write [endif] where the block ends",
    }));
}
