import type { PromptDrift } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import type { Arguments } from "../arguments/arguments.ts";
import { causeText, hunkHead, rebuildCostText } from "@incipit/host/text";
import type { Output } from "../output/output.ts";

/** What construction would give now against the prompt that is kept, why, and what a rebuild costs. */
export async function drift(
  client: Client,
  { isJson }: Arguments,
  { id, output }: { readonly id: string; readonly output: Output },
): Promise<number> {
  const { drift: found } = await client.call(routes.getDrift, { params: { id } });
  if (isJson) output.outLine(JSON.stringify(found));
  else if (found === null) output.errLine("It has no prompt yet: its first turn constructs one");
  else if (found.isSame) output.outLine(`No drift: construction gives what is kept (${found.kept.sha256})`);
  else output.out(driftText(found, id));
  return 0;
}

function driftText({ kept, hunks, rebuildCost }: PromptDrift, id: string): string {
  const shown = hunks.map((hunk) => {
    const because = hunk.causes.map((cause) => `# ${causeText(cause)}`);
    return [...because, hunkHead(hunk), ...hunk.lines].join("\n");
  });
  return `Kept since ${kept.constructedAt} (${kept.reason}); what it would be now:

${shown.join("\n")}

A rebuild ${rebuildCostText(rebuildCost)}
-> incipit conversations rebuild ${id}
`;
}
