import { routes, type ArchivedFilter, type Client, type Conversation } from "@incipit/transport-contract";
import { suggestion } from "../../config/suggestion.ts";
import { UsageError, type Arguments } from "../arguments.ts";
import { askAtTerminal, isAtTerminal } from "../ask-at-terminal.ts";
import { shownText, type Output } from "../output.ts";
import { history } from "./history.ts";

/** What each action is followed by. */
const actions = {
  list: ["[archived|all]"],
  show: ["ID"],
  history: ["ID"],
  rename: ["ID", "TITLE"],
  archive: ["ID"],
  unarchive: ["ID"],
  delete: ["ID"],
} as const satisfies Record<string, readonly string[]>;
type Action = keyof typeof actions;

/** `conversations [list]`, `show ID`, `history ID`, `rename ID TITLE`, `archive ID`, `delete ID` … The result is the exit code. */
export async function conversations(client: Client, args: Arguments, output: Output): Promise<number> {
  const { action, first, second } = understood(args.words);
  const show = (conversation: Conversation): void =>
    output.out(args.isJson ? `${JSON.stringify(conversation)}\n` : `${lineOf(conversation, output)}\n`);
  const params = { id: first };
  switch (action) {
    case "list": {
      for await (const conversation of listed(client, filterOf(first))) show(conversation);
      return 0;
    }
    case "show": {
      const { conversation } = await client.call(routes.getConversation, { params });
      output.out(args.isJson ? `${JSON.stringify(conversation)}\n` : detailsOf(conversation, output));
      return 0;
    }
    case "history":
      return history(client, args, { id: first, output });
    case "rename": {
      show((await client.call(routes.updateConversation, { params, body: { title: second } })).conversation);
      return 0;
    }
    case "archive":
    case "unarchive": {
      const body = { archived: action === "archive" };
      show((await client.call(routes.updateConversation, { params, body })).conversation);
      return 0;
    }
    case "delete":
      return deleteOne(client, { id: first, args, output });
  }
}

async function deleteOne(
  client: Client,
  { id, args, output }: { readonly id: string; readonly args: Arguments; readonly output: Output },
): Promise<number> {
  const params = { id };
  if (!args.isGranted) {
    const { conversation } = await client.call(routes.getConversation, { params });
    if (!(await isAgreed(`Delete ${lineOf(conversation, output)} for good? [y/N] `))) {
      output.err("Nothing was deleted (--yes deletes without a question)\n");
      return 1;
    }
  }
  const answer = await client.call(routes.deleteConversation, { params });
  output.out(args.isJson ? `${JSON.stringify(answer)}\n` : `Deleted ${id}\n`);
  return 0;
}

/** Nobody can agree who is not there. */
async function isAgreed(question: string): Promise<boolean> {
  if (!isAtTerminal()) return false;
  const stop = new AbortController();
  const ask = askAtTerminal(() => process.exit(130));
  return /^y(es)?$/i.test((await ask(question, { signal: stop.signal })).trim());
}

async function* listed(client: Client, archived: ArchivedFilter): AsyncGenerator<Conversation> {
  for (let cursor: string | undefined; ;) {
    const query = { archived, ...(cursor === undefined ? {} : { cursor }) };
    const page = await client.call(routes.listConversations, { query });
    yield* page.conversations;
    cursor = page.nextCursor;
    if (cursor === undefined) return;
  }
}

function filterOf(word: string): ArchivedFilter {
  if (word === "") return "false";
  if (word === "archived") return "true";
  if (word === "all") return "all";
  throw new UsageError(`"conversations list" takes "archived" or "all", and no "${word}"`);
}

function lineOf({ id, updatedAt, title, status, archived }: Conversation, output: Output): string {
  const remarks = [...(status === "idle" ? [] : [status]), ...(archived ? ["archived"] : [])];
  const remark = remarks.length === 0 ? "" : `  (${remarks.join(", ")})`;
  return `${id}  ${updatedAt.slice(0, 16).replace("T", " ")} UTC  ${shownText(title ?? "-", output)}${remark}`;
}

function detailsOf(conversation: Conversation, output: Output): string {
  const rows = {
    id: conversation.id,
    title: conversation.title ?? "-",
    model: conversation.model,
    profile: conversation.profile ?? "-",
    cwd: conversation.cwd,
    created: conversation.createdAt,
    updated: conversation.updatedAt,
    status: conversation.status,
    archived: conversation.archived ? "yes" : "no",
    history: `incipit conversations history ${conversation.id}`,
    "go on": `incipit -s ${conversation.id} "…"`,
  };
  return Object.entries(rows)
    .map(([name, value]) => `${name.padEnd(9)} ${shownText(value, output)}\n`)
    .join("");
}

function understood(words: readonly string[]): {
  readonly action: Action;
  readonly first: string;
  readonly second: string;
} {
  const [word = "list", first = "", second = ""] = words;
  const names = Object.keys(actions);
  if (!isAction(word))
    throw new UsageError(
      `There is no "conversations ${word}"${suggestion(word, names) || `; there are ${names.join(", ")}`}`,
    );
  const takes: readonly string[] = actions[word];
  const needed = takes.filter((name) => !name.startsWith("["));
  if (needed.length > Math.max(0, words.length - 1))
    throw new UsageError(`Which conversation? Write: incipit conversations ${[word, ...takes].join(" ")}`);
  const stray = words.slice(1)[takes.length];
  if (stray !== undefined)
    throw new UsageError(`"conversations ${word}" takes no "${stray}"; put a title in quotes`);
  return { action: word, first, second };
}

function isAction(word: string): word is Action {
  return Object.hasOwn(actions, word);
}
