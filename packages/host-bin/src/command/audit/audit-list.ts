import {
  addAuditSummaries,
  emptyAuditSummary,
  routes,
  type AuditedConversation,
  type AuditQuery,
  type AuditSummary,
  type Client,
  type DifferenceReason,
} from "@incipit/transport-contract";
import type { Arguments } from "../arguments.ts";
import { shownText, type Output } from "../output.ts";
import { shownLine } from "../shown-line.ts";
import { count, percent, summaryText } from "./audit-text.ts";

/** Lines of a list that nobody asked to be whole. */
const maxLines = 20;

interface AuditListOptions {
  readonly filter: Pick<AuditQuery, "onlyBroken"> & { readonly since?: string; readonly reason?: DifferenceReason };
  /** All that fit, and not the newest ones alone. */
  readonly isWhole: boolean;
  readonly output: Output;
}

/** One line for each conversation, newest first, and the sum of all that fit. With `--json` each is a line of its own. */
export async function auditList(
  client: Client,
  { isJson }: Arguments,
  { filter, isWhole, output }: AuditListOptions,
): Promise<number> {
  let totals = emptyAuditSummary;
  let found = 0;
  for await (const page of pages(client, filter)) {
    totals = addAuditSummaries(totals, page.totals);
    for (const conversation of page.conversations) {
      found += 1;
      if (isJson) output.out(`${JSON.stringify(conversation)}\n`);
      else if (isWhole || found <= maxLines) output.out(lineOf(conversation, output));
    }
  }
  if (isJson) {
    output.out(`${JSON.stringify({ totals })}\n`);
    return 0;
  }
  if (found === 0) {
    output.err("No conversation with a model call fits; incipit audit shows them without a filter\n");
    return 0;
  }
  if (!isWhole && found > maxLines) output.out(`… and ${count(found - maxLines)} older ones (incipit audit all)\n`);
  output.out(`\n${summaryText(totals)}`);
  return 0;
}

async function* pages(
  client: Client,
  filter: AuditListOptions["filter"],
): AsyncGenerator<{ readonly conversations: readonly AuditedConversation[]; readonly totals: AuditSummary }> {
  for (let cursor: string | undefined; ;) {
    const query = { ...filter, ...(cursor === undefined ? {} : { cursor }) };
    const { nextCursor, ...page } = await client.call(routes.auditConversations, { query });
    yield page;
    cursor = nextCursor;
    if (cursor === undefined) return;
  }
}

function lineOf({ id, title, summary }: AuditedConversation, output: Output): string {
  const { steps, broken, share, reasons } = summary;
  const kept = share === null ? "" : `, ${percent(share)} kept`;
  const causes = Object.entries(reasons)
    .filter(([reason]) => reason !== "first-step" && reason !== "compaction")
    .map(([reason, times]) => (times === 1 ? reason : `${reason} × ${times}`));
  const why = broken === 0 ? "" : `, ${count(broken)} broken: ${causes.join(", ")}`;
  const name = shownText(shownLine(title ?? "-", { maxCharacters: 40 }), output);
  return `${broken === 0 ? " " : "!"} ${id}  ${name}  (${count(steps)} ${steps === 1 ? "call" : "calls"}${kept}${why})\n`;
}
