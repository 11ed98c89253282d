import { suggestion } from "@incipit/common/suggestion";
import { clippedLine } from "@incipit/schema/text";
import type { Approval, ApprovalDecision } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { approvalText, partsOf, toolName, unreadable } from "../approval/approval-text.ts";
import { UsageError } from "../arguments/arguments.ts";
import { shortId } from "../output/short-id.ts";
import { checkBeginning } from "../arguments/check-beginning.ts";
import { wrapLines } from "../output/wrap-lines.ts";
import { allowedCalls } from "./allowed-calls.ts";
import type { RunningOptions } from "./running.ts";

interface Answer {
  readonly decision: ApprovalDecision;
  readonly forFolder?: true;
}

const answers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ["allow", { decision: "allow" }],
  ["always", { decision: "allow-always" }],
  ["always-in-folder", { decision: "allow-always", forFolder: true }],
  ["deny", { decision: "deny" }],
]);

export async function approve(options: RunningOptions): Promise<number> {
  const { client, id, words, args, output } = options;
  const [word, named] = words;
  const { scope } = args;
  if (scope !== undefined && word !== "always" && word !== "always-in-folder")
    throw new UsageError('"--scope" says what "always" covers: write it behind "always"');
  if (word === "list" || word === "take-back")
    return allowedCalls(options, word === "list" ? undefined : { named });
  const { approvals } = (await client.call(routes.getConversation, { params: { id } })).conversation;
  if (word === undefined) {
    for (const approval of approvals) {
      if (args.isJson) output.outLine(JSON.stringify(approval));
      else output.out(shownApproval(approval, output));
      if (!args.isJson) printAnswerCommands(approval, approvals, options);
    }
    if (approvals.length === 0 && !args.isJson) output.errLine(`No call waits for an answer in ${id}`);
    return 0;
  }
  const answered = answers.get(word);
  if (answered === undefined)
    throw new UsageError(
      `There is no answer "${word}"${suggestion(word, [...answers.keys(), "list", "take-back"])}`,
    );
  if (named !== undefined)
    checkBeginning(named, { names: "the id of a call that waits", toSee: `incipit approve ${id}` });
  const approval = chosen(approvals, named);
  const { approvalId, name } = approval;
  const why = answered.decision === "deny" ? undefined : unreadable(approval);
  if (why !== undefined) throw new UsageError(`This call can only be denied: ${why}`);
  const body = { ...answered, ...(scope === undefined ? {} : { scope }) };
  const answer = await client.call(routes.answerApproval, { params: { id, approvalId }, body });
  if (args.isJson) output.outLine(JSON.stringify(answer));
  else output.outLine(`${answered.decision === "deny" ? "Denied" : "Allowed"} ${toolName(name)}`);
  return 0;
}

function shownApproval(approval: Approval, { width, isScreen }: RunningOptions["output"]): string {
  const text = approvalText(approval, { width });
  return isScreen ? wrapLines(text, width) : text;
}

/** Rows of their own with the shortest unique ids can be copied from a narrow screen. */
function printAnswerCommands(
  { approvalId, scopes = [], forFolder }: Approval,
  waiting: readonly Approval[],
  { id, output }: RunningOptions,
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
      "To allow it in later conversations in this folder, too, write always-in-folder in place of always",
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
  if (first === undefined) throw new UsageError("No call waits for an answer there");
  if (named === undefined && second === undefined) return first;
  const found = approvals.filter(({ approvalId }) => named !== undefined && approvalId.startsWith(named));
  const [one, other] = found;
  if (one !== undefined && other === undefined) return one;
  const waiting = approvals.map(({ approvalId, name }) => `\n  ${approvalId}  ${toolName(name)}`).join("");
  throw new UsageError(`Name one of the calls that wait:${waiting}`);
}
