import type { LintFindings } from "./lint-findings.ts";
import type { RenderedTemplate } from "./lint-values.ts";

/** Share of the context window; the rest is for tools, history and the reply. */
const maxShare = 0.25;

const maxTokens = 32_000;

const everywhere = { start: 0, end: 0 } as const;

export function lintSize(
  template: string,
  {
    rendered,
    contextWindow,
  }: { readonly rendered: RenderedTemplate | undefined; readonly contextWindow: number | undefined },
  findings: LintFindings,
): void {
  if (template.trim() === "") {
    findings.add("info", "no-base-text", everywhere, () => ({
      message: "The template is empty: no base text is sent, and those behind it are not asked",
      fix: "If that is not meant, write a text, or take the stored template away",
    }));
  }
  const tokens = rendered?.explain.tokens.count ?? Math.ceil(Buffer.byteLength(template) / 4);
  const limit = contextWindow === undefined ? maxTokens : contextWindow * maxShare;
  if (tokens <= limit) return;
  const isOver = contextWindow !== undefined && tokens >= contextWindow;
  findings.add(isOver ? "error" : "warning", "too-long", everywhere, () => {
    const have = `The prompt has about ${tokens.toLocaleString("en")} tokens`;
    const of =
      contextWindow === undefined
        ? `more than ${maxTokens.toLocaleString("en")}; the model's window is not known`
        : `${Math.round((tokens / contextWindow) * 100)} % of the model's window of ${contextWindow.toLocaleString("en")}`;
    return {
      message: `${have}, ${of}`,
      fix: "Shorten it, or leave files to a tool that reads them when they are needed",
    };
  });
}
