import type { Conversation } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { suggestion } from "@incipit/common/suggestion";
import { escapeHiddenLine } from "@incipit/schema/text";
import { UsageError, type Arguments } from "../arguments/arguments.ts";
import { isAgreed } from "../questions/is-agreed.ts";
import type { Output } from "../output/output.ts";
import { minuteOf } from "../output/minute-of.ts";
import type { Connection } from "../host/connection.ts";
import { conversationLine } from "./conversation-line.ts";
import { shortId } from "../output/short-id.ts";
import { drift } from "./drift.ts";
import { explainKept } from "./explain.ts";
import { exportedTo } from "./exported-to.ts";
import { exportTo } from "./export-to.ts";
import { forEach } from "./for-each.ts";
import { history } from "./history.ts";
import { importFrom } from "./import-from.ts";
import { list } from "./list.ts";
import { listFilterOf } from "./list-filter.ts";
import { lastConversation, resolveConversationId } from "../arguments/named-conversation.ts";
import { workingFolder } from "../arguments/working-folder.ts";
import { messageFiles, removeMessageFile } from "./message-files.ts";
import { rebuild } from "./rebuild.ts";
import { search } from "./search.ts";
import { tasks } from "./tasks.ts";
import { tools } from "./tools.ts";

const actions = {
  list: [
    "[archived|all]",
    "[--status STATUS]",
    "[--model PROVIDER/MODEL]",
    "[--cwd DIR]",
    "[--since WHEN]",
    "[--limit N]",
    "[--no-pager]",
  ],
  search: ["TEXT", "[archived|all]", "[--status STATUS]", "[--model PROVIDER/MODEL]"],
  show: ["ID", "[ID …]"],
  history: ["ID"],
  tasks: ["ID"],
  tools: ["ID"],
  explain: ["ID"],
  drift: ["ID"],
  rebuild: ["ID", "[--note TEXT]"],
  files: ["ID"],
  "remove-file": ["ID", "FILE"],
  rename: ["ID", "TITLE"],
  archive: ["ID", "[ID …]"],
  unarchive: ["ID", "[ID …]"],
  fork: ["ID", "[--after MESSAGE|--before MESSAGE]"],
  export: ["ID", "[ID …]", "[FILE|FOLDER|-]"],
  import: ["FILE|-"],
  delete: ["ID", "[ID …]"],
} as const satisfies Record<string, readonly string[]>;
type Action = keyof typeof actions;

const minIdPrefix = 8;

const severalAtOnce: ReadonlySet<string> = new Set(["show", "archive", "unarchive", "delete", "export"]);

export async function conversations(
  connection: Pick<Connection, "client" | "dataFolder">,
  given: Arguments,
  output: Output,
): Promise<number> {
  const { client } = connection;
  const args = given.isContinued ? await withLastConversation(client, given) : given;
  const { action, first: named, second, names } = understood(args);
  if (severalAtOnce.has(action)) {
    const { ids, path } = action === "export" ? await exportedTo(names) : { ids: names, path: "" };
    return forEach(ids, output, async (name) => {
      if (action === "show" && !args.isJson && name !== ids[0]) output.outLine("");
      const id = await resolveConversationId(client, name);
      if (action === "delete" && args.isGranted) await requireLongPrefix(client, { id, name });
      return actOn(connection, args, { action, first: id, second: path.replace("ID", id), output });
    });
  }
  const first = needsId(action) ? await resolveConversationId(client, named) : named;
  return actOn(connection, args, { action, first, second, output });
}

async function withLastConversation(client: Client, args: Arguments): Promise<Arguments> {
  const [action = "list", ...behind] = args.words;
  const others = { ...args, cwd: undefined }; // --cwd selects the folder of that conversation.
  understood({ ...others, words: [action, ...(isAction(action) && needsId(action) ? [""] : []), ...behind] });
  if (!isAction(action) || !needsId(action))
    throw new UsageError(`"-c" names a conversation, and "conversations ${action}" takes none`);
  if (action === "delete" && args.isGranted)
    throw new UsageError('"-c" names what was said last here, and --yes asks nobody: leave one of them out');
  const id = await lastConversation(client, workingFolder(args));
  return { ...others, words: [action, id, ...behind] };
}

async function actOn(
  connection: Pick<Connection, "client" | "dataFolder">,
  args: Arguments,
  { action, first, second, output }: Pick<Understood, "action" | "first" | "second"> & { readonly output: Output },
): Promise<number> {
  const { client } = connection;
  const show = (conversation: Conversation): void =>
    args.isJson ? output.outLine(JSON.stringify(conversation)) : output.outRow(conversationLine(conversation));
  const params = { id: first };
  switch (action) {
    case "list":
      return list(client, args, { filter: listFilterOf(first, args, action), output });
    case "show": {
      const { conversation } = await client.call(routes.getConversation, { params });
      if (args.isJson) output.outLine(JSON.stringify(conversation));
      else
        for (const row of detailsOf(conversation, output))
          output.outRow(row, row.startsWith(" ") ? undefined : lead);
      return 0;
    }
    case "search":
      return search(client, args, { q: first, filter: listFilterOf(second, args, action), output });
    case "history":
      return history(client, args, { id: first, output });
    case "tasks":
      return tasks(client, args, { id: first, output });
    case "tools":
      return tools(client, args, { id: first, output });
    case "explain":
      return explainKept(client, args, { id: first, output });
    case "drift":
      return drift(client, args, { id: first, output });
    case "rebuild":
      return rebuild(connection, args, { id: first, output });
    case "files":
      return messageFiles(client, args, { id: first, output });
    case "remove-file":
      return removeMessageFile(client, args, { id: first, fileId: second, output });
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
    case "fork": {
      const { after, before } = args;
      const body = { ...(after === undefined ? {} : { after }), ...(before === undefined ? {} : { before }) };
      show((await client.call(routes.forkConversation, { params, body })).conversation);
      return 0;
    }
    case "export":
      return exportTo(client, args, { id: first, path: second === "" ? "-" : second, output });
    case "import":
      show(await importFrom(client, first));
      return 0;
    case "delete":
      return deleteOne(client, { id: first, args, output });
  }
}

function needsId(action: Action): boolean {
  const [first] = actions[action];
  return first === "ID";
}

/**
 * @throws {UsageError} for a short prefix, which may match another conversation by chance: --yes deletes without a
 * preview.
 */
async function requireLongPrefix(
  client: Client,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  if (name.length >= minIdPrefix && id.startsWith(name.toLowerCase())) return;
  const { conversation } = await client.call(routes.getConversation, { params: { id } });
  if (conversation.title === name) return;
  throw new UsageError(
    `Nothing was deleted: --yes needs the whole title or at least ${minIdPrefix} characters of the id, not ${JSON.stringify(name)}. This one begins with it: ${conversationLine(conversation)}`,
  );
}

async function deleteOne(
  client: Client,
  { id, args, output }: { readonly id: string; readonly args: Arguments; readonly output: Output },
): Promise<number> {
  const params = { id };
  if (!args.isGranted) {
    const { conversation } = await client.call(routes.getConversation, { params });
    const { title, updatedAt } = conversation;
    const named = `"${escapeHiddenLine(title ?? "-")}" (${id}, ${minuteOf(updatedAt)})`;
    if (!(await isAgreed(`Delete ${named} for good? [y/N] `, output))) {
      output.errLine("Nothing was deleted (--yes deletes without a question)");
      return 1;
    }
  }
  const answer = await client.call(routes.deleteConversation, { params });
  output.outLine(args.isJson ? JSON.stringify(answer) : `Deleted ${id}`);
  return 0;
}

const lead = 10;

/** Commands get a row of their own where needed, so that they can be copied whole from a screen. */
function detailsOf(conversation: Conversation, { isScreen, width }: Output): readonly string[] {
  const id = isScreen ? shortId(conversation.id) : conversation.id;
  const none = isScreen ? "none" : "-";
  const rows = {
    id: conversation.id,
    title: conversation.title ?? none,
    model: conversation.model,
    profile: conversation.profile ?? none,
    cwd: conversation.cwd,
    created: minuteOf(conversation.createdAt),
    updated: minuteOf(conversation.updatedAt),
    status: conversation.status,
    archived: conversation.archived ? "yes" : "no",
  };
  const commands = { history: `incipit conversations history ${id}`, "go on": `incipit -s ${id} "…"` };
  const row = (name: string, value: string): string => `${name.padEnd(lead - 1)} ${escapeHiddenLine(value)}`;
  return [
    ...Object.entries(rows).map(([name, value]) => row(name, value)),
    ...Object.entries(commands).flatMap(([name, command]) =>
      isScreen && lead + command.length > width ? [name, `    ${command}`] : [row(name, command)],
    ),
  ];
}

interface Understood {
  readonly action: Action;
  readonly first: string;
  readonly second: string;
  readonly names: readonly string[];
}

function understood(args: Arguments): Understood {
  const { words, after, before, note, status, model } = args;
  const [word = "list", first = "", second = ""] = words;
  const names = Object.keys(actions);
  if (!isAction(word)) throw new UsageError(`There is no "conversations ${word}"${suggestion(word, names)}`);
  const takes: readonly string[] = actions[word];
  const usage = `write: incipit conversations ${[word, ...takes].join(" ")}`;
  const missing = takes.filter((name) => !name.startsWith("["))[Math.max(0, words.length - 1)];
  if (missing !== undefined) throw new UsageError(`"conversations ${word}" needs ${missing}; ${usage}`);
  const stray = words.slice(1)[takes.filter((name) => !name.startsWith("[--")).length];
  if (stray !== undefined && !severalAtOnce.has(word))
    throw new UsageError(`"conversations ${word}" takes no "${stray}"; put several words in quotes`);
  if (word !== "fork" && (after ?? before) !== undefined)
    throw new UsageError(`"--after" and "--before" mean nothing to "conversations ${word}"; they are for "fork"`);
  if (word !== "list" && word !== "search" && (status ?? model) !== undefined)
    throw new UsageError(
      `"--status" and "--model" mean nothing to "conversations ${word}"; they are for "list" and "search"`,
    );
  const isFiltered = [args.cwd, args.since, args.limit].some((value) => value !== undefined) || args.isUnpaged;
  if (word !== "list" && isFiltered)
    throw new UsageError(
      `"--cwd", "--since", "--limit" and "--no-pager" mean nothing to "conversations ${word}"; they are for "list"`,
    );
  if (word !== "rebuild" && note !== undefined)
    throw new UsageError(`"--note" means nothing to "conversations ${word}"; it is for "rebuild"`);
  if (after !== undefined && before !== undefined) throw new UsageError(`Name one message; ${usage}`);
  return { action: word, first, second, names: words.slice(1) };
}

function isAction(word: string): word is Action {
  return Object.hasOwn(actions, word);
}
