import type { Conversation } from "@incipit/schema";
import { routes, type Client, pagesOf } from "@incipit/transport-contract";
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { OptionsOf } from "../registry/options.ts";
import type { Call } from "../registry/command.ts";
import { whenOf } from "../arguments/when.ts";
import { paged } from "../output/pager.ts";
import { isAtTerminal } from "../terminal/terminal-input.ts";
import { conversationLine } from "./conversation-line.ts";
import { conversationRow } from "./conversation-row.ts";
import { filtersText, listFilterOf, type ListFilter } from "./list-filter.ts";

type FilterOption = "status" | "modelFilter" | "cwdFilter" | "since" | "limit" | "isUnpaged";

export async function list(call: Call<[archived?: "archived" | "all"], FilterOption>): Promise<number> {
  const { args, output, host } = call;
  const [archived] = call.words;
  const client = await host.client();
  const filter = listFilterOf(archived, args);
  const fits = fitOf(args);
  const isOff = args.isJson || args.isUnpaged || !isAtTerminal();
  return paged(output, { isOff, env: process.env }, async (to) => {
    let left = args.limit ?? Infinity;
    let isEmpty = true;
    for await (const conversation of listed(client, filter)) {
      if (!fits(conversation)) continue;
      isEmpty = false;
      if (args.isJson) to.outLine(JSON.stringify(conversation));
      else to.outLine(to.isScreen ? conversationRow(conversation, to.width) : conversationLine(conversation));
      left -= 1;
      if (left === 0) break;
    }
    if (isEmpty && !args.isJson) output.errLine(nothingText(args, filter));
    return 0;
  });
}

function nothingText(
  { cwdFilter: cwd, since }: OptionsOf<"cwdFilter" | "since">,
  { archived, status, model }: ListFilter,
): string {
  const what = archived === "true" ? "archived conversation" : "conversation";
  const filters = filtersText({ status, model, cwd, since });
  return filters === "" ? `No ${what}s` : `No ${what} fits ${filters}`;
}

function fitOf({
  cwdFilter: cwd,
  since,
}: OptionsOf<"cwdFilter" | "since">): (conversation: Conversation) => boolean {
  const folders = cwd === undefined ? undefined : foldersOf(cwd);
  const from = since === undefined ? undefined : whenOf(since, { option: "since", now: new Date() }).toISOString();
  return (conversation) =>
    (folders === undefined || folders.includes(conversation.cwd)) &&
    (from === undefined || conversation.updatedAt >= from);
}

function foldersOf(cwd: string): readonly string[] {
  const folder = resolve(cwd);
  try {
    return [folder, realpathSync(folder)];
  } catch {
    return [folder];
  }
}

async function* listed(client: Client, filter: ListFilter): AsyncGenerator<Conversation> {
  for await (const { conversations } of pagesOf((cursor) =>
    client.call(routes.listConversations, { query: { ...filter, cursor } }),
  ))
    yield* conversations;
}
