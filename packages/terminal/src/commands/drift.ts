import { causeText, hunkHead, promptReasonWords, rebuildCostText, shortHash } from "@incipit/cli-text";
import type { PromptDrift } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { diffLines } from "../transcript/diff-lines.ts";
import type { Style } from "../style/style.ts";
import { harmless, wrappedBlock } from "../transcript/block.ts";
import type { CommandContext, TerminalCommand } from "./command.ts";
import { minuteOf } from "./when.ts";

export const drift: TerminalCommand = {
  name: "drift",
  summary: "shows prompt changes since it was built, their causes, and the cost of a rebuild",
  async run(context) {
    const found = await driftOf(context);
    if (found === undefined) return;
    context.print(wrappedBlock(linesOf(found, context.style)));
    context.tell(`A rebuild ${rebuildCostText(found.rebuildCost)} · /rebuild does it`);
  },
};

export async function driftOf({
  session,
  tell,
}: Pick<CommandContext, "session" | "tell">): Promise<PromptDrift | undefined> {
  const id = session.conversation?.id;
  const { drift: found } =
    id === undefined ? { drift: null } : await session.client.call(routes.getDrift, { params: { id } });
  if (found !== null && !found.isSame) return found;
  if (found === null) tell("No prompt yet: the first message builds it (/prompt shows a preview)");
  else tell(`No changes: a rebuild would produce the same prompt (SHA-256 ${shortHash(found.kept.sha256)})`);
  return undefined;
}

function linesOf({ kept, hunks }: PromptDrift, style: Style): readonly string[] {
  return [
    "",
    `Built ${minuteOf(kept.constructedAt)}, ${promptReasonWords[kept.reason]}; changes since then:`,
    ...hunks.flatMap((hunk) => [
      "",
      ...hunk.causes.map((cause) => style.warning(`# ${causeText(cause)}`)),
      ...diffLines([hunkHead(hunk), ...hunk.lines.map(harmless)].join("\n"), style),
    ]),
    "",
  ];
}
