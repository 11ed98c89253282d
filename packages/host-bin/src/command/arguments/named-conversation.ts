import type { Conversation } from "@incipit/schema";
import { routes, type Client, pagesOf } from "@incipit/transport-contract";
import { escapeHiddenLine } from "@incipit/schema/text";
import { minuteOf } from "../output/minute-of.ts";
import type { OptionsOf } from "../registry/options.ts";
import { UsageError } from "../registry/usage-error.ts";
import { checkBeginning } from "./check-beginning.ts";
import { workingFolder } from "./working-folder.ts";

/** The id that the first word of a call names, or `--continue`. */
export async function selectedConversation(
  client: Client,
  word: string,
  { isContinued, cwdOfLast }: OptionsOf<"isContinued" | "cwdOfLast">,
): Promise<string> {
  if (!isContinued || word !== "-c") return resolveConversationId(client, word);
  return lastConversation(client, workingFolder({ cwd: cwdOfLast }));
}

const wholeId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const maxLookedAt = 5_000;
const maxShown = 5;

/**
 * Accepts a unique prefix of an id or a title.
 * @throws {UsageError} when none or several match.
 */
export async function resolveConversationId(client: Client, text: string): Promise<string> {
  if (wholeId.test(text)) return text;
  checkBeginning(text, { names: "an id or a title", toSee: "incipit conversations" });
  const start = text.toLowerCase();
  const byId: Conversation[] = [];
  const byTitle: Conversation[] = [];
  for await (const conversation of newestFirst(client, "all")) {
    if (conversation.id.startsWith(start)) byId.push(conversation);
    else if (conversation.title?.toLowerCase().startsWith(start) === true) byTitle.push(conversation);
  }
  const found = byId.length > 0 ? byId : byTitle;
  const [first] = found;
  if (first === undefined)
    throw new UsageError(
      `No conversation has an id or a title that begins with ${JSON.stringify(text)}; to see them: incipit conversations`,
    );
  if (found.length === 1) return first.id;
  const shown = found
    .slice(0, maxShown)
    .map(({ id, updatedAt, title }) => `\n  ${id}  ${minuteOf(updatedAt)}  ${escapeHiddenLine(title ?? "-")}`);
  throw new UsageError(
    `${found.length} conversations begin with ${JSON.stringify(text)}; write more of the id or the title:${shown.join("")}`,
  );
}

/**
 * Skips empty conversations and subagent tasks.
 * @throws {UsageError} when the folder has none.
 */
export async function lastConversation(client: Client, cwd: string): Promise<string> {
  let last: Conversation | undefined;
  for await (const conversation of newestFirst(client, "false")) {
    if (conversation.cwd !== cwd || conversation.parent !== null || isEmpty(conversation)) continue;
    if (last === undefined || conversation.updatedAt > last.updatedAt) last = conversation;
  }
  if (last !== undefined) return last.id;
  throw new UsageError(`There is no conversation in "${cwd}" yet; begin one: incipit "…"`);
}

/** An unused session of an editor is empty. Forks and imports have content without events of their own. */
function isEmpty({ lastSeq, forkedFrom, importedAt }: Conversation): boolean {
  return lastSeq === 0 && forkedFrom === null && importedAt === null;
}

async function* newestFirst(client: Client, archived: "all" | "false"): AsyncGenerator<Conversation> {
  let count = 0;
  for await (const { conversations } of pagesOf((cursor) =>
    client.call(routes.listConversations, { query: { archived, limit: 100, cursor } }),
  )) {
    yield* conversations;
    count += conversations.length;
    if (count >= maxLookedAt) return;
  }
}
