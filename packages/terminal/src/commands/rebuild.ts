import { rebuildCostText, shortHash } from "@incipit/cli-text";
import { userName } from "@incipit/common/system";
import { routes } from "@incipit/transport-contract";
import { isConfirmed } from "./confirm.ts";
import type { TerminalCommand } from "./command.ts";
import { driftOf } from "./drift.ts";

export const rebuild: TerminalCommand = {
  name: "rebuild",
  summary: "rebuilds the prompt after showing the cost",
  async run(context) {
    const { session, choose, tell } = context;
    const found = await driftOf(context);
    const id = session.conversation?.id;
    if (found === undefined || id === undefined) return;
    const question = `Rebuild the prompt? That ${rebuildCostText(found.rebuildCost)}`;
    if (
      !(await isConfirmed(question, {
        yes: "Rebuild",
        no: "Cancel",
        choose,
      }))
    )
      return tell("The prompt was not rebuilt");
    const by = userName();
    const body = by === undefined ? {} : { by };
    const answer = await session.client.call(routes.rebuildPrompt, { params: { id }, body });
    const { sha256 } = answer.systemPrompt;
    const hash = sha256 === null ? "" : ` (SHA-256 ${shortHash(sha256)})`;
    if (answer.outcome === "rebuilt") tell(`Rebuilt: the next message uses the new prompt${hash}`, "good");
    else tell(`No changes: the rebuilt prompt is identical${hash}`);
    await session.lookForDrift();
  },
};
