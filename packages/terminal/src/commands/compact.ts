import { routes } from "@incipit/transport-contract";
import { pastBlocks } from "../transcript/past-blocks.ts";
import type { TerminalCommand } from "./command.ts";

export const compact: TerminalCommand = {
  name: "compact",
  summary: "compacts the conversation to a summary; WORDS say what to keep",
  argument: "[WORDS]",
  async run({ session, style, highlighter, expandWith, print, tell }, argument) {
    const id = session.conversation?.id;
    if (id === undefined) return tell("The conversation is empty: nothing to compact");
    const { conversation, summary } = await session.client.call(routes.compactConversation, {
      params: { id },
      body: argument === "" ? {} : { instructions: argument },
    });
    const looks = { style, highlighter, expandWith };
    for (const block of await pastBlocks([{ ...summary, role: "assistant" }], looks)) print(block);
    tell(`Compacted: the model now gets this summary instead of the messages (epoch ${conversation.epoch})`);
  },
};
