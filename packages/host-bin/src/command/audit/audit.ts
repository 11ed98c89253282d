import { differenceReasonSchema, type AuditQuery, type DifferenceReason } from "@incipit/schema";
import type { Client } from "@incipit/transport-contract";
import { suggestion } from "@incipit/common/suggestion";
import { UsageError, type Arguments } from "../arguments/arguments.ts";
import { lastConversation, resolveConversationId } from "../arguments/named-conversation.ts";
import { workingFolder } from "../arguments/working-folder.ts";
import { whenOf } from "../arguments/when.ts";
import type { Output } from "../output/output.ts";
import { auditList } from "./audit-list.ts";
import { conversationAudit } from "./conversation-audit.ts";

export async function audit(client: Client, args: Arguments, output: Output): Promise<number> {
  const [word, stray] = args.words;
  if (stray !== undefined) throw new UsageError(`"incipit audit" takes no "${stray}"`);
  const named = args.conversation ?? (word === "all" || word === "broken" ? undefined : word);
  if (named === undefined && !args.isContinued)
    return auditList(client, args, { filter: filterOf(args), isWhole: word !== undefined, output });
  if ((args.conversation !== undefined || args.isContinued) && word !== undefined)
    throw new UsageError(`"incipit audit" takes no "${word}" beside "${args.isContinued ? "-c" : "-s"}"`);
  if ((args.since ?? args.reason) !== undefined)
    throw new UsageError('"--since" and "--reason" choose among conversations: leave the ID out');
  const id =
    named === undefined
      ? await lastConversation(client, workingFolder(args))
      : await resolveConversationId(client, named);
  return conversationAudit(client, args, { id, output });
}

type Filter = Pick<AuditQuery, "onlyBroken"> & { readonly since?: string; readonly reason?: DifferenceReason };

function filterOf({ words, since, reason }: Arguments): Filter {
  return {
    onlyBroken: words[0] === "broken" ? "true" : "false",
    ...(since === undefined ? {} : { since: whenOf(since, { option: "since", now: new Date() }).toISOString() }),
    ...(reason === undefined ? {} : { reason: reasonOf(reason) }),
  };
}

function reasonOf(text: string): DifferenceReason {
  const reason = differenceReasonSchema.safeParse(text);
  if (reason.success) return reason.data;
  throw new UsageError(`There is no reason "${text}"${suggestion(text, differenceReasonSchema.options)}`);
}
