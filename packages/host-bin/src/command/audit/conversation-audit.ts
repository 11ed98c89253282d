import { emptyAuditSummary, type AuditedStep } from "@incipit/schema";
import { routes, pagesOf } from "@incipit/transport-contract";
import { IntactRun, stepHeader, stepText, summaryText } from "@incipit/cli-text";
import { escapeHiddenLine } from "@incipit/schema/text";
import { calledConversation, type ConversationCall } from "../arguments/conversation-call.ts";
import { fitted } from "../output/fitted.ts";

const minTitleWidth = 14;
const legend = "█ read from the vendor's cache  ▒ unchanged since last call  ░ new or changed";

export async function conversationAudit(call: ConversationCall): Promise<void> {
  const {
    client,
    id,
    args: { isJson },
    output,
  } = await calledConversation(call);
  const { conversation } = await client.call(routes.getConversation, { params: { id } });
  const { width } = output;
  const held = new IntactRun({
    out: (text, verdict) => output.out(verdict === "broken" ? { style: "warning", text } : text),
    all: "--json",
  });
  const said = new Set<string>();
  if (!isJson) {
    const room = width - id.length - 4;
    const title = escapeHiddenLine(conversation.title ?? "-");
    if (output.isScreen && room < Math.min(minTitleWidth, Bun.stringWidth(title))) {
      output.outRow(title, 0);
      output.outLine(`(${id})`);
    } else output.outRow(`${fitted(title, Math.max(minTitleWidth, room))}  (${id})`);
    output.outLine("");
  }
  let number = 0;
  let before: AuditedStep | undefined;
  let summary = emptyAuditSummary;
  for await (const page of pagesOf((cursor) =>
    client.call(routes.auditConversation, { params: { id }, query: { cursor } }),
  )) {
    summary = page.summary;
    for (const step of page.steps) {
      number += 1;
      if (isJson) output.outLine(JSON.stringify(step));
      else {
        if (number === 1 && output.isScreen) output.outLine(stepHeader({ width }));
        const { message = "" } = step.warning ?? {};
        held.add(step, stepText(step, { number, before, isSaid: said.has(message), width }));
        if (message !== "") said.add(message);
      }
      before = step;
    }
  }
  held.end();
  if (isJson) output.outLine(JSON.stringify({ summary }));
  else if (number === 0) output.errLine("No model was called in it yet");
  else {
    output.outLine("");
    output.outRow(legend, 0);
    output.out(summaryText(summary));
  }
}
