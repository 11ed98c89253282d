import {
  routes,
  type ArchivedFilter,
  type Client,
  type SearchMatch,
  type SearchResult,
} from "@incipit/transport-contract";
import type { Arguments } from "../arguments.ts";
import { shownText, type Output } from "../output.ts";
import { conversationLine } from "./conversation-line.ts";

export interface SearchOptions {
  readonly q: string;
  readonly archived: ArchivedFilter;
  readonly output: Output;
}

/** Prints each conversation in which the words were found, and below it where; each as soon as it is found. */
export async function search(
  client: Client,
  args: Arguments,
  { q, archived, output }: SearchOptions,
): Promise<number> {
  let count = 0;
  for await (const result of resultsOf(client, { q, archived })) {
    count += 1;
    if (args.isJson) output.out(`${JSON.stringify(result)}\n`);
    else {
      const matches = result.matches.map((match) => `${matchLine(match, output)}\n`).join("");
      output.out(`${conversationLine(result.conversation, output)}\n${matches}`);
    }
  }
  if (count === 0 && !args.isJson) output.err("Nothing was found\n");
  return 0;
}

async function* resultsOf(
  client: Client,
  query: { readonly q: string; readonly archived: ArchivedFilter },
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
function matchLine({ messageId, role, snippet, ranges }: SearchMatch, output: Output): string {
  const place = messageId === null ? "title" : `${messageId}  ${role ?? ""}`;
  let text = "";
  let rest = 0;
  for (const { start, end } of ranges) {
    text += shownText(snippet.slice(rest, start), output);
    text += marked(shownText(snippet.slice(start, end), output), output);
    rest = end;
  }
  return `  ${place}  ${text}${shownText(snippet.slice(rest), output)}`;
}

/** Bold, where there is a screen that can show it. */
function marked(text: string, { isScreen }: Output): string {
  return isScreen && process.env["TERM"] !== "dumb" ? `\u001B[1m${text}\u001B[22m` : text;
}
