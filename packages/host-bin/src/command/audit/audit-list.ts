import {
  addAuditSummaries,
  differenceReasonSchema,
  emptyAuditSummary,
  type AuditedConversation,
  type DifferenceReason,
} from "@incipit/schema";
import { routes, pagesOf } from "@incipit/transport-contract";
import type { Call } from "../registry/command.ts";
import { UsageError } from "../registry/usage-error.ts";
import { whenOf } from "../arguments/when.ts";
import { fitted } from "../output/fitted.ts";
import type { Output } from "../output/output.ts";
import { isTooNarrowFor } from "../output/row-lines.ts";
import { count, differenceText, percent, summaryText } from "@incipit/cli-text";
import { escapeHiddenLine } from "@incipit/schema/text";
import { suggestion } from "@incipit/common/suggestion";

const maxLines = 20;

export async function auditList({
  words: [which],
  args: { isJson, since, reason },
  output,
  host,
}: Call<[which?: "all" | "broken"], "since" | "reason">): Promise<void> {
  const filter = {
    onlyBroken: which === "broken" ? "true" : "false",
    since: since === undefined ? undefined : whenOf(since, { option: "since", now: new Date() }).toISOString(),
    reason: reason === undefined ? undefined : reasonOf(reason),
  } as const;
  const isWhole = which !== undefined;
  const client = await host.client();
  let totals = emptyAuditSummary;
  let found = 0;
  for await (const page of pagesOf((cursor) =>
    client.call(routes.auditConversations, { query: { ...filter, cursor } }),
  )) {
    totals = addAuditSummaries(totals, page.totals);
    for (const conversation of page.conversations) {
      found += 1;
      if (isJson) output.outLine(JSON.stringify(conversation));
      else if (isWhole || found <= maxLines)
        for (const row of rowsOf(conversation, { output, isFirst: found === 1 })) output.outRow(row);
    }
  }
  if (isJson) {
    output.outLine(JSON.stringify({ totals }));
    return;
  }
  if (found === 0) {
    const isFiltered = filter.onlyBroken === "true" || (filter.since ?? filter.reason) !== undefined;
    output.errLine(
      isFiltered
        ? "No conversation with a model call fits; incipit audit shows them without a filter"
        : "No model was called yet",
    );
    return;
  }
  if (!isWhole && found > maxLines)
    output.outLine(`… and ${count(found - maxLines)} older ones (incipit audit all)`);
  output.out(`\n${summaryText(totals)}`);
  if (totals.broken > 0) output.errLine("(incipit audit ID says what broke it, at which byte, and what to do)");
}

function causeOf(reason: string): string {
  const { data } = differenceReasonSchema.safeParse(reason);
  return data === undefined ? reason : differenceText(data);
}

const widthBeforeTitle = 2 + 36 + 8 + 8 + 8 + 2;
const minTitleWidth = 14;
const header = `  ${"conversation".padEnd(36)}${"calls".padStart(8)}${"kept".padStart(8)}${"broken".padStart(8)}  title`;

interface RowOptions {
  readonly output: Output;
  readonly isFirst: boolean;
}

function rowsOf({ id, title, summary }: AuditedConversation, { output, isFirst }: RowOptions): readonly string[] {
  const { steps, broken, share, reasons } = summary;
  const mark = broken === 0 ? " " : "!";
  const kept = share === null ? "-" : percent(share);
  const breaks = Object.entries(reasons).filter(([reason]) => reason !== "first-step" && reason !== "compaction");
  const causes = breaks.map(([reason, times]) => (times === 1 ? causeOf(reason) : `${causeOf(reason)} × ${times}`));
  const asked = breaks.reduce((total, [, times]) => total + times, 0) - broken;
  const why = broken === 0 ? [] : [`    ${causes.join(", ")}${asked > 0 ? `; ${count(asked)} on request` : ""}`];
  const name = (room: number): string => fitted(escapeHiddenLine(title ?? "-"), room);
  if (isTooNarrowFor([header], output)) {
    const figures = `${count(steps)} calls  kept ${kept}  ${count(broken)} broken`;
    return [`${mark} ${id}  ${figures}  ${name(output.width)}`, ...why];
  }
  const figures = [count(steps), kept, count(broken)].map((text) => text.padStart(8)).join("");
  const room = Math.max(minTitleWidth, output.width - widthBeforeTitle);
  return [...(isFirst ? [header] : []), `${mark} ${id}${figures}  ${name(room)}`, ...why];
}

function reasonOf(text: string): DifferenceReason {
  const reason = differenceReasonSchema.safeParse(text);
  if (reason.success) return reason.data;
  throw new UsageError(`There is no reason "${text}"${suggestion(text, differenceReasonSchema.options)}`);
}
