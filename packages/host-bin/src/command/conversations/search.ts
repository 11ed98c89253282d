import type { SearchMatch, SearchResult } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import type { Arguments } from "../arguments/arguments.ts";
import type { Output, Printed } from "../output/output.ts";
import { conversationLine } from "./conversation-line.ts";
import { conversationRow } from "./conversation-row.ts";
import type { ListFilter } from "./list-filter.ts";

export interface SearchOptions {
  readonly q: string;
  readonly filter: ListFilter;
  readonly output: Output;
}

/** Prints each conversation in which the words were found, and below it where; each as soon as it is found. */
export async function search(
  client: Client,
  args: Arguments,
  { q, filter, output }: SearchOptions,
): Promise<number> {
  let count = 0;
  for await (const result of resultsOf(client, { q, ...filter })) {
    count += 1;
    if (args.isJson) output.outLine(JSON.stringify(result));
    else {
      const { conversation } = result;
      output.outLine(
        output.isScreen ? conversationRow(conversation, output.width) : conversationLine(conversation),
      );
      for (const match of result.matches) output.outLine(...matchLine(match));
    }
  }
  if (count === 0 && !args.isJson) output.errLine("Nothing was found");
  return 0;
}

async function* resultsOf(
  client: Client,
  query: ListFilter & { readonly q: string },
): AsyncGenerator<SearchResult> {
  for (let cursor: string | undefined; ;) {
    const page = await client.call(routes.searchConversations, {
      query: { ...query, ...(cursor === undefined ? {} : { cursor }) },
    });
    yield* page.results;
    cursor = page.nextCursor;
    if (cursor === undefined) return;
  }
}

/** The message's id is what `fork --after` takes. */
function matchLine({ messageId, role, snippet, ranges }: SearchMatch): readonly Printed[] {
  const place = messageId === null ? "title" : `${messageId}  ${role ?? ""}`;
  const parts: Printed[] = [`  ${place}  `];
  let rest = 0;
  for (const { start, end } of ranges) {
    parts.push(snippet.slice(rest, start), { style: "bold", text: snippet.slice(start, end) });
    rest = end;
  }
  return [...parts, snippet.slice(rest)];
}
