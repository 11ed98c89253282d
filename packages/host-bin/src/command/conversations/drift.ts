import type { PromptDrift } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { calledConversation, type ConversationCall } from "../arguments/conversation-call.ts";
import { causeText, hunkHead, promptReasonWords, rebuildCostText } from "@incipit/cli-text";
import { hashed } from "../output/hashed.ts";
import { wrapLines } from "../output/wrap-lines.ts";
import { minuteOf } from "../output/minute-of.ts";
import type { Output } from "../output/output.ts";
import { shortId } from "../output/short-id.ts";

export async function drift(call: ConversationCall): Promise<void> {
  const {
    client,
    id,
    args: { isJson },
    output,
  } = await calledConversation(call);
  const { drift: found } = await client.call(routes.getDrift, { params: { id } });
  if (isJson) output.outLine(JSON.stringify(found));
  else if (found === null) output.errLine("It has no prompt yet: its first turn constructs one");
  else if (found.isSame)
    output.outLine(
      hashed(
        found.kept.sha256,
        (hash) => `Nothing has changed: a prompt that is built now is the one that is kept (SHA-256 ${hash})`,
        output,
      ),
    );
  else output.out(driftText(found, id, output));
}

function driftText({ kept, hunks, rebuildCost }: PromptDrift, id: string, { isScreen, width }: Output): string {
  const row = (line: string): string => (isScreen ? changedRows(line, width) : line);
  const shown = hunks.map((hunk) => {
    const because = hunk.causes.map((cause) => `# ${causeText(cause)}`);
    return [...because, hunkHead(hunk), ...hunk.lines.map(row)].join("\n");
  });
  return `Built ${minuteOf(kept.constructedAt)}, ${promptReasonWords[kept.reason]}; what it would be now:

${shown.join("\n")}

A rebuild ${rebuildCostText(rebuildCost)}
-> incipit conversations rebuild ${isScreen ? shortId(id) : id}
`;
}

/** Wrapped text must not look like an unchanged line. */
const goesOn = " ".repeat(4);

function changedRows(line: string, width: number): string {
  return `${line.slice(0, 1)}${wrapLines(`${goesOn}${line.slice(1)}`, width).slice(goesOn.length)}`;
}
