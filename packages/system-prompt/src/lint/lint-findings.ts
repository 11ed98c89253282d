import type { LintCode, LintFinding, LintSeverity } from "@incipit/schema";
import type { Span } from "../template/template-tag.ts";

/** More findings in a template usually have a common cause. */
const maxFindings = 100;

const severities = ["error", "warning", "info"] as const satisfies readonly LintSeverity[];

export interface FindingText {
  readonly message: string;
  readonly fix: string;
  readonly replacement?: string;
}

interface Kept {
  readonly code: LintCode;
  readonly severity: LintSeverity;
  readonly span: Span;
  /** Evaluated only for reported findings: a template of 1 MB can have 200,000. */
  readonly describe: () => FindingText;
}

/** Keeps the most severe, returned in text order. */
export class LintFindings {
  readonly #kept = new Map<LintSeverity, Kept[]>(severities.map((severity) => [severity, []]));
  #count = 0;

  add(severity: LintSeverity, code: LintCode, span: Span, describe: () => FindingText): void {
    this.#count += 1;
    const kept = this.#kept.get(severity) ?? [];
    if (kept.length < maxFindings) kept.push({ code, severity, span, describe });
  }

  take(template: string): { readonly findings: LintFinding[]; readonly omitted: number } {
    const worst = severities.flatMap((severity) => this.#kept.get(severity) ?? []).slice(0, maxFindings);
    const inOrder = worst.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
    let line = 1;
    let lineStart = 0;
    const findings = inOrder.map(({ code, severity, span: { start, end }, describe }): LintFinding => {
      for (let next = template.indexOf("\n", lineStart); next !== -1 && next < start;) {
        line += 1;
        lineStart = next + 1;
        next = template.indexOf("\n", lineStart);
      }
      const { message, fix, replacement = null } = describe();
      const place = { offset: start, length: end - start, line, column: start - lineStart + 1 };
      return { code, severity, message, fix, replacement, ...place };
    });
    return { findings, omitted: this.#count - findings.length };
  }
}
