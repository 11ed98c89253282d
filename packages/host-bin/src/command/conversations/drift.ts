import type { PromptDrift } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import type { Arguments } from "../arguments/arguments.ts";
import { clippedLine } from "@incipit/host/text";
import type { Output } from "../output/output.ts";
import { dollars } from "../audit/audit-text.ts";
import { tokenText } from "../output/token-text.ts";

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
  const shown = hunks.map(({ oldStart, oldLines, newStart, newLines, lines, causes }) => {
    const because = causes.map(({ kind, name, detail }) =>
      // What the detail names itself is not said twice.
      clippedLine(
        `# ${kind}${name === "" || (kind === "template" && detail.includes(name)) ? "" : ` ${name}`}: ${detail}`,
        { maxCharacters: 300 },
      ),
    );
    const head = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
    return [...because, head, ...lines].join("\n");
  });
  const { tokens, usd, firstChangedByte } = rebuildCost;
  const price = usd === null ? "" : `, ${dollars(usd)}`;
  return `Kept since ${kept.constructedAt} (${kept.reason}); what it would be now:

${shown.join("\n")}

A rebuild has ${tokenText(tokens)} read again, from byte ${firstChangedByte ?? 0} of the prompt on${price}
-> incipit conversations rebuild ${id}
`;
}
