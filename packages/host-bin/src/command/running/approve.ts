import { clippedLine } from "@incipit/schema/text";
import type { Approval, ApprovalDecision } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { approvalText, partsOf, toolName, unreadable } from "../approval/approval-text.ts";
import { UsageError } from "../registry/usage-error.ts";
import type { OptionsOf } from "../registry/options.ts";
import type { Output } from "../output/output.ts";
import { shortId } from "../output/short-id.ts";
import { checkBeginning } from "../arguments/check-beginning.ts";
import { wrapLines } from "../output/wrap-lines.ts";
import {
  calledConversation,
  type ConversationCall,
  type CalledConversation,
} from "../arguments/conversation-call.ts";

interface Answer {
  readonly decision: ApprovalDecision;
  readonly forFolder?: true;
}

const answers = {
  allow: { decision: "allow" },
  always: { decision: "allow-always" },
  "always-in-folder": { decision: "allow-always", forFolder: true },
  deny: { decision: "deny" },
} as const satisfies Record<string, Answer>;

interface ApproveOptions {
  readonly args: Partial<OptionsOf<"approvalScope">>;
}

export async function listApprovals(call: ConversationCall): Promise<void> {
  const running = await calledConversation(call);
  const { client, id, args, output } = running;
  const { approvals } = (await client.call(routes.getConversation, { params: { id } })).conversation;
  for (const approval of approvals) {
    if (args.isJson) output.outLine(JSON.stringify(approval));
    else output.out(shownApproval(approval, output));
    if (!args.isJson) printAnswerCommands(approval, approvals, running);
  }
  if (approvals.length === 0 && !args.isJson) output.errLine(`No call waits for approval in ${id}`);
}

export async function approve(
  call: ConversationCall<[answer: keyof typeof answers, call?: string]> & ApproveOptions,
): Promise<void> {
  const { client, id, args, output } = await calledConversation(call);
  const [, word, named] = call.words;
  const { approvalScope: scope } = call.args;
  const { approvals } = (await client.call(routes.getConversation, { params: { id } })).conversation;
  const answered = answers[word];
  if (named !== undefined)
    checkBeginning(named, { names: "the id of a waiting call", toSee: `incipit approve ${id}` });
  const approval = chosen(approvals, named);
  const { approvalId, name } = approval;
  const why = answered.decision === "deny" ? undefined : unreadable(approval);
  if (why !== undefined) throw new UsageError(`This call can only be denied: ${why}`);
  const body = { ...answered, scope };
  const answer = await client.call(routes.answerApproval, { params: { id, approvalId }, body });
  if (args.isJson) output.outLine(JSON.stringify(answer));
  else output.outLine(`${answered.decision === "deny" ? "Denied" : "Allowed"} ${toolName(name)}`);
}

function shownApproval(approval: Approval, { width, isScreen }: Output): string {
  const text = approvalText(approval, { width });
  return isScreen ? wrapLines(text, width) : text;
}

/** Rows of their own with the shortest unique ids can be copied from a narrow screen. */
function printAnswerCommands(
  { approvalId, scopes = [], forFolder }: Approval,
  waiting: readonly Approval[],
  { id, output }: CalledConversation,
): void {
  const conversation = shortId(id);
  const call = beginningOf(
    approvalId,
    waiting.map((one) => one.approvalId),
  );
  output.errLine("Allow it:");
  output.errLine(`incipit approve ${conversation} allow ${call}`);
  output.errLine("Or in place of allow: always, deny");
  for (const [index, scope] of partsOf(scopes).entries())
    output.errLine(
      `${index + 1}: incipit approve ${conversation} always ${call} --scope ${clippedLine(scope.id, { maxCharacters: 64 })}`,
    );
  if (forFolder !== undefined)
    output.errLine(
      "To allow it in later conversations in this folder, too, write always-in-folder instead of always",
    );
}

function beginningOf(id: string, all: readonly string[]): string {
  const length = [shortId(id).length, 18, 23].find(
    (one) => all.filter((other) => other.startsWith(id.slice(0, one))).length === 1,
  );
  return id.slice(0, length);
}

/** `named` is required when several are pending, so that no unread call is answered. */
function chosen(approvals: readonly Approval[], named: string | undefined): Approval {
  const [first, second] = approvals;
  if (first === undefined) throw new UsageError("No call waits for approval in the conversation");
  if (named === undefined && second === undefined) return first;
  const found = approvals.filter(({ approvalId }) => named !== undefined && approvalId.startsWith(named));
  const [one, other] = found;
  if (one !== undefined && other === undefined) return one;
  const waiting = approvals.map(({ approvalId, name }) => `\n  ${approvalId}  ${toolName(name)}`).join("");
  throw new UsageError(`Name one of the waiting calls:${waiting}`);
}
