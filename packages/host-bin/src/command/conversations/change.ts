import type { Conversation } from "@incipit/schema";
import { type Client, routes } from "@incipit/transport-contract";
import { selectedConversation } from "../arguments/named-conversation.ts";
import type { Call } from "../registry/command.ts";
import { UsageError } from "../registry/usage-error.ts";
import { calledConversation, type ConversationCall } from "../arguments/conversation-call.ts";
import { conversationLine } from "./conversation-line.ts";
import { forEach } from "./for-each.ts";

export async function rename(call: ConversationCall<[title: string]>): Promise<void> {
  const { client, id } = await calledConversation(call);
  const body = { title: call.words[1] };
  print(call, (await client.call(routes.updateConversation, { params: { id }, body })).conversation);
}

export async function fork(call: ConversationCall<[], "after" | "before">): Promise<void> {
  const { after, before } = call.args;
  if (after !== undefined && before !== undefined)
    throw new UsageError('"--after" and "--before" each name a message: leave one of them out');
  const { client, id } = await calledConversation(call);
  const { conversation } = await client.call(routes.forkConversation, { params: { id }, body: { after, before } });
  print(call, conversation);
}

export async function archive({
  words: [action, ...names],
  ...call
}: Call<["archive" | "unarchive", ...string[]], "isContinued" | "cwdOfLast">): Promise<number> {
  const client = await call.host.client();
  const body = { archived: action === "archive" };
  return forEach(names, call.output, async (name) => {
    const params = { id: await selectedConversation(client, name, call.args) };
    return print(call, (await client.call(routes.updateConversation, { params, body })).conversation);
  });
}

export async function importConversation({ words: [path], ...call }: Call<[path: string]>): Promise<void> {
  print(call, await importFrom(await call.host.client(), path));
}

function print({ args, output }: Pick<Call, "args" | "output">, conversation: Conversation): void {
  if (args.isJson) output.outLine(JSON.stringify(conversation));
  else output.outRow(conversationLine(conversation));
}

async function importFrom(client: Client, path: string): Promise<Conversation> {
  if (path === "-") return client.importConversation(Bun.stdin.stream());
  const file = Bun.file(path);
  const stats = await file.stat().catch((cause: unknown) => {
    throw new Error(`Cannot import "${path}": there is no such file`, { cause });
  });
  if (stats.isDirectory()) throw new Error(`Cannot import "${path}": it is a folder`);
  return client.importConversation(file.stream());
}
