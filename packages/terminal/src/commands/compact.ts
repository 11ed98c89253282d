import { routes } from "@incipit/transport-contract";
import { pastBlocks } from "../transcript/past-blocks.ts";
import type { TerminalCommand } from "./command.ts";

export const compact: TerminalCommand = {
  name: "compact",
  summary: "lets the model sum up what was said, and goes on with the summary; WORDS say what it keeps",
  argument: "[WORDS]",
  async run({ session, style, highlighter, expandWith, print, tell }, argument) {
    const id = session.conversation?.id;
    if (id === undefined) return tell("Nothing was said yet: there is nothing to sum up");
    const { conversation, summary } = await session.client.call(routes.compactConversation, {
      params: { id },
      body: argument === "" ? {} : { instructions: argument },
    });
    const looks = { style, highlighter, expandWith };
    for (const block of await pastBlocks([{ ...summary, role: "assistant" }], looks)) print(block);
    tell(`From here on the model is sent this summary in the place of what was said (epoch ${conversation.epoch})`);
  },
};
