import { suggestion } from "@incipit/host/text";
import type { Approval, ApprovalDecision } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { approvalText, toolName } from "../approval/approval-text.ts";
import { UsageError } from "../arguments/arguments.ts";
import type { RunningOptions } from "./running.ts";

const decisions: ReadonlyMap<string, ApprovalDecision> = new Map([
  ["allow", "allow"],
  ["always", "allow-always"],
  ["deny", "deny"],
]);

/** `approve ID [allow|always|deny] [APPROVAL]`: shows the calls that wait for an answer, or answers one. */
export async function approve({ client, id, words, args, output }: RunningOptions): Promise<number> {
  const [word, named] = words;
  const { approvals } = (await client.call(routes.getConversation, { params: { id } })).conversation;
  if (word === undefined) {
    for (const approval of approvals) {
      if (args.isJson) output.outLine(JSON.stringify(approval));
      else output.out(approvalText(approval, { width: output.width }));
      if (!args.isJson) output.errLine(`Answer it: incipit approve ${id} allow|always|deny ${approval.approvalId}`);
    }
    if (approvals.length === 0 && !args.isJson) output.errLine(`No call waits for an answer in ${id}`);
    return 0;
  }
  const decision = decisions.get(word);
  if (decision === undefined)
    throw new UsageError(
      `There is no answer "${word}"${suggestion(word, [...decisions.keys()])}; write allow, always or deny`,
    );
  const { approvalId, name } = chosen(approvals, named);
  const answer = await client.call(routes.answerApproval, { params: { id, approvalId }, body: { decision } });
  if (args.isJson) output.outLine(JSON.stringify(answer));
  else output.outLine(`${decision === "deny" ? "Denied" : "Allowed"} ${toolName(name)}`);
  return 0;
}

/** One that nobody has read is answered by nobody: where several wait, it has to be named. @throws {UsageError} */
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
