import { quoted } from "@incipit/cli-text";
import { escapeHiddenLine } from "@incipit/schema/text";
import type { SearchMatch, SearchResult } from "@incipit/schema";
import { routes, pagesOf } from "@incipit/transport-contract";
import type { Call } from "../registry/command.ts";
import { wrapLines } from "../output/wrap-lines.ts";
import type { Output, Printed } from "../output/output.ts";
import { conversationLine } from "./conversation-line.ts";
import { conversationRow } from "./conversation-row.ts";
import { filtersText, listFilterOf, type ListFilter } from "./list-filter.ts";

export async function search(
  call: Call<[q: string, archived?: "archived" | "all"], "status" | "modelFilter">,
): Promise<void> {
  const { args, output, host } = call;
  const [q, archived] = call.words;
  const client = await host.client();
  const filter = listFilterOf(archived, args);
  let count = 0;
  for await (const { results } of pagesOf((cursor) =>
    client.call(routes.searchConversations, { query: { q, ...filter, cursor } }),
  )) {
    count += results.length;
    for (const result of results)
      if (args.isJson) output.outLine(JSON.stringify(result));
      else show(result, output);
  }
  if (count === 0 && !args.isJson) output.errLine(nothingText(q, filter));
}

function nothingText(q: string, { archived, status, model }: ListFilter): string {
  const what = archived === "true" ? "archived conversation" : "conversation";
  const filters = filtersText({ status, model });
  const fitting = filters === "" ? "" : ` that fits ${filters}`;
  const others = archived === "false" ? " (archived ones were not looked at)" : "";
  return `No ${what}${fitting} has ${quoted(q)} in its title or in what was said${others}`;
}

function show({ conversation, matches }: SearchResult, output: Output): void {
  const { isScreen, width } = output;
  if (!isScreen) {
    output.outLine(conversationLine(conversation));
    for (const match of matches) output.outLine(`  ${placeOf(match)}  `, ...snippetOf(match));
    return;
  }
  const row = conversationRow(conversation, width);
  output.outLine(row);
  const isTitleWhole = row.includes(`  ${escapeHiddenLine(conversation.title ?? "-")}`);
  for (const match of matches)
    if (match.messageId !== null || !isTitleWhole) output.out(...matchRows(match, width), "\n");
}

/** Returns the place of a match, with the message id, which `fork --after` accepts. */
function placeOf({ messageId, role }: SearchMatch): string {
  return messageId === null ? "title" : `${messageId}  ${role ?? ""}`;
}

function snippetOf({ snippet, ranges }: SearchMatch): readonly Printed[] {
  const parts: Printed[] = [];
  let rest = 0;
  for (const { start, end } of ranges) {
    parts.push(snippet.slice(rest, start), { style: "bold", text: snippet.slice(start, end) });
    rest = end;
  }
  return [...parts, snippet.slice(rest)];
}

/** Zero-width mark around a match while rows are wrapped; `escapeHiddenLine` removes it from stored text. */
const edge = "\u0001";

function matchRows(match: SearchMatch, width: number): readonly Printed[] {
  const text = snippetOf(match)
    .map((part) =>
      typeof part === "string" ? escapeHiddenLine(part) : `${edge}${escapeHiddenLine(part.text)}${edge}`,
    )
    .join("");
  const place = `  ${placeOf(match)}`;
  const line = `${place}  ${text}`;
  const rows = Bun.stringWidth(line) <= width ? line : `${place}\n${wrapLines(`    ${text}`, width)}`;
  return rows.split(edge).map((part, index) => (index % 2 === 0 ? part : { style: "bold", text: part }));
}
