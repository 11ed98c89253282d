import { routes } from "@incipit/transport-contract";
import { emptyRow } from "../transcript/block.ts";
import { messageBlocks } from "../transcript/message-blocks.ts";
import type { TerminalCommand } from "./command.ts";

export const compact: TerminalCommand = {
  name: "compact",
  summary: "lets the model sum up what was said, and goes on with the summary",
  async run({ session, style, highlighter, print, tell }) {
    const id = session.conversation?.id;
    if (id === undefined) return tell("Nothing was said yet: there is nothing to sum up");
    const { conversation, summary } = await session.client.call(routes.compactConversation, { params: { id } });
    for (const block of await messageBlocks({ ...summary, role: "assistant" }, { style, highlighter })) {
      print(emptyRow);
      print(block);
    }
    tell(`From here on the model is sent this summary in the place of what was said (epoch ${conversation.epoch})`);
  },
};
