import type { LintFinding, SystemPromptVariable } from "@incipit/schema";
import { KnownVariables } from "./known-variables.ts";
import { lintBlocks } from "./lint-blocks.ts";
import { lintBrackets } from "./lint-brackets.ts";
import { LintFindings } from "./lint-findings.ts";
import { lintName } from "./lint-names.ts";
import { lintSize } from "./lint-size.ts";
import { ValueLint, type RenderedTemplate } from "./lint-values.ts";
import { compileTemplate } from "../parser.ts";
import { findSecrets } from "./secrets.ts";
import type { Brackets } from "../template/template-tag.ts";

export interface LintOptions {
  readonly catalog: readonly SystemPromptVariable[];
  readonly promptRefresh: "compaction" | "turn";
  /** Without it, only the text is checked. */
  readonly rendered?: RenderedTemplate;
  /** In tokens. */
  readonly contextWindow?: number;
}

/** In text order; `omitted` counts further findings. Linear in the size of template and prompt. */
export function lintTemplate(
  template: string,
  { catalog, promptRefresh, rendered, contextWindow }: LintOptions,
): { readonly findings: LintFinding[]; readonly omitted: number } {
  const findings = new LintFindings();
  const brackets: Brackets = { tags: [], text: [], open: [] };
  compileTemplate(template, brackets);
  const variables = new KnownVariables(catalog);
  const values = new ValueLint(findings, { promptRefresh, rendered });
  const names = { variables, findings, hasValueNow: (variable: string) => values.hasValue(variable) };

  lintBlocks({ template, tags: brackets.tags }, findings, (tag, known) => {
    if (!lintName(tag, known, names)) values.look(tag, known);
  });
  lintBrackets(template, { brackets, variables }, findings);
  for (const { kind, start, end, isCertain } of findSecrets(template)) {
    findings.add(isCertain ? "error" : "warning", "secret", { start, end }, () => ({
      message: `This looks like a secret (${kind}): it would be sent to the model's vendor with each call, and kept with each version`,
      fix: "Take it out, and give it to the program that needs it; then make it invalid, since it was written down",
    }));
  }
  lintSize(template, { rendered, contextWindow }, findings);
  return findings.take(template);
}
