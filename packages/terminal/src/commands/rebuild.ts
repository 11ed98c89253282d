import { rebuildCostText, shortHash } from "@incipit/cli-text";
import { userName } from "@incipit/common/system";
import { routes } from "@incipit/transport-contract";
import { isConfirmed } from "./confirm.ts";
import type { TerminalCommand } from "./command.ts";
import { driftOf } from "./drift.ts";

export const rebuild: TerminalCommand = {
  name: "rebuild",
  summary: "builds the prompt anew, after it has said what that costs",
  async run(context) {
    const { session, choose, tell } = context;
    const found = await driftOf(context);
    const id = session.conversation?.id;
    if (found === undefined || id === undefined) return;
    const question = `Build the prompt anew? That ${rebuildCostText(found.rebuildCost)}`;
    if (
      !(await isConfirmed(question, {
        yes: "Build it anew",
        no: "Leave it as it is",
        choose,
      }))
    )
      return tell("The prompt is as it was");
    const by = userName();
    const body = by === undefined ? {} : { by };
    const answer = await session.client.call(routes.rebuildPrompt, { params: { id }, body });
    const { sha256 } = answer.systemPrompt;
    const hash = sha256 === null ? "" : ` (SHA-256 ${shortHash(sha256)})`;
    if (answer.outcome === "rebuilt") tell(`Rebuilt: the next message is sent with the new prompt${hash}`, "good");
    else tell(`Nothing has changed: a prompt that is built now is the one that is kept${hash}`);
    await session.lookForDrift();
  },
};
