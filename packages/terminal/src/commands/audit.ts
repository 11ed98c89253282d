import type { AuditedStep, AuditSummary } from "@incipit/schema";
import { IntactRun, stepHeader, stepText, summaryText } from "@incipit/cli-text";
import { pagesOf, routes } from "@incipit/transport-contract";
import type { Style } from "../style/style.ts";
import { Block, hanging } from "../transcript/block.ts";
import type { CommandContext, TerminalCommand } from "./command.ts";

export const audit: TerminalCommand = {
  name: "audit",
  summary: "shows each model call: prefix intact or cache break, cause, cost",
  async run(context) {
    const { session, style, print, tell } = context;
    const { steps, summary } = await auditOf(context);
    const id = session.conversation?.id;
    if (summary === undefined || steps.length === 0 || id === undefined) return tell("No model calls yet");
    const legend = "█ read from the vendor's cache  ▒ unchanged since last call  ░ new or changed";
    print(
      new Block((width) => [
        "",
        style.muted(stepHeader({ width, isPriced: true })),
        ...stepLines(steps, { width, style, id }),
        "",
        ...hanging(legend, { first: "", width }).map(style.muted),
        ...summaryText(summary)
          .trimEnd()
          .split("\n")
          .flatMap((line) => hanging(line, { first: "", width })),
      ]),
    );
  },
};

async function auditOf({ session }: Pick<CommandContext, "session">): Promise<{
  readonly steps: readonly AuditedStep[];
  readonly summary: AuditSummary | undefined;
}> {
  const id = session.conversation?.id;
  if (id === undefined) return { steps: [], summary: undefined };
  const found: AuditedStep[] = [];
  let total: AuditSummary | undefined;
  const read = (cursor: string | undefined) =>
    session.client.call(routes.auditConversation, { params: { id }, query: { limit: 500, cursor } });
  for await (const { steps, summary } of pagesOf(read)) {
    found.push(...steps);
    total = summary;
  }
  return { steps: found, summary: total };
}

function stepLines(
  steps: readonly AuditedStep[],
  { width, style, id }: { readonly width: number; readonly style: Style; readonly id: string },
): readonly string[] {
  const lines: string[] = [];
  const run = new IntactRun({
    out: (text, verdict) =>
      lines.push(
        ...text
          .replace(/\n$/, "")
          .split("\n")
          .map((line) => (verdict === "broken" ? style.warning(line) : line)),
      ),
    all: `incipit audit ${id} --json`,
  });
  const said = new Set<string>();
  let before: AuditedStep | undefined;
  for (const [index, step] of steps.entries()) {
    const { message = "" } = step.warning ?? {};
    const options = { number: index + 1, before, isSaid: said.has(message), width, isPriced: true };
    run.add(step, stepText(step, options));
    if (message !== "") said.add(message);
    before = step;
  }
  run.end();
  return lines;
}
