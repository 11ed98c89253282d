import { escapeHiddenLine } from "@incipit/schema/text";
import { routes, type Client } from "@incipit/transport-contract";
import { selectedConversation } from "../arguments/named-conversation.ts";
import { minuteOf } from "../output/minute-of.ts";
import { isAgreed } from "../questions/is-agreed.ts";
import { UsageError } from "../registry/usage-error.ts";
import type { ConversationCall } from "../arguments/conversation-call.ts";
import { conversationLine } from "./conversation-line.ts";
import { forEach } from "./for-each.ts";

type DeleteCall = ConversationCall<string[], "isGranted">;

const minIdPrefix = 8;

export async function deleteConversations({ words, args, output, host }: DeleteCall): Promise<number> {
  if (args.isContinued && args.isGranted)
    throw new UsageError(
      '"-c" selects the last conversation and --yes skips the confirmation: leave one of them out',
    );
  const client = await host.client();
  return forEach(words, output, async (name) => {
    const id = await selectedConversation(client, name, args);
    if (args.isGranted) await requireLongPrefix(client, { id, name });
    return deleteOne(client, { id, args, output });
  });
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
  { id, args, output }: Pick<DeleteCall, "args" | "output"> & { readonly id: string },
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
