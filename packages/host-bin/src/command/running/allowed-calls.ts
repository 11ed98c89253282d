import { clippedLine } from "@incipit/schema/text";
import { describeRequester, type AllowedCalls } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { UsageError } from "../registry/usage-error.ts";
import { checkBeginning } from "../arguments/check-beginning.ts";
import { calledConversation, type ConversationCall } from "../arguments/conversation-call.ts";

export async function listAllowed(call: ConversationCall): Promise<void> {
  const { client, id, args, output } = await calledConversation(call);
  const { allowed } = await client.call(routes.listAllowed, { params: { id } });
  for (const one of allowed) output.outLine(args.isJson ? JSON.stringify(one) : `${one.id}  ${grantsText(one)}`);
  if (allowed.length === 0 && !args.isJson) output.errLine(`No permanent approval in ${id}`);
}

export async function takeBackAllowed(call: ConversationCall<[allowed?: string]>): Promise<void> {
  const { client, id, args, output } = await calledConversation(call);
  const { allowed } = await client.call(routes.listAllowed, { params: { id } });
  const one = chosen(allowed, { named: call.words[1], id });
  const left = await client.call(routes.takeBackAllowed, { params: { id, approvalId: one.id } });
  output.outLine(args.isJson ? JSON.stringify(left) : `Revoked: ${grantsText(one)}`);
}

function chosen(
  allowed: readonly AllowedCalls[],
  { named, id: conversation }: { readonly named: string | undefined; readonly id: string },
): AllowedCalls {
  if (named !== undefined)
    checkBeginning(named, {
      names: "the id of a permanent approval",
      toSee: `incipit approve ${conversation} list`,
    });
  const [one, other] = allowed.filter(({ id }) => named !== undefined && id.startsWith(named));
  if (one !== undefined && other === undefined) return one;
  if (allowed.length === 0) throw new UsageError("The conversation has no permanent approval");
  const lines = allowed.map((known) => `\n  ${known.id}  ${grantsText(known)}`).join("");
  throw new UsageError(`Which one? Write: incipit approve ${conversation} take-back ALLOWED${lines}`);
}

function grantsText({ grants, asker }: AllowedCalls): string {
  return clippedLine(`${describeRequester(asker)}: ${grants.join(", ")}`, { maxCharacters: 300 });
}
