import { clippedLine } from "@incipit/schema/text";
import type { TerminalCommand } from "./command.ts";

export const title: TerminalCommand = {
  name: "title",
  summary: "sets the title of the conversation",
  argument: "[TEXT]",
  async run({ session, tell }, argument) {
    if (argument !== "") {
      await session.setTitle(argument.replaceAll(/\s+/g, " "));
      return tell(
        `Title: "${clippedLine(session.conversation?.title ?? argument, { maxCharacters: 200 })}"`,
        "good",
      );
    }
    const before = session.conversation?.title ?? null;
    tell(
      before === null
        ? "No title yet: the first message sets one; /title TEXT changes it"
        : `Title: "${clippedLine(before, { maxCharacters: 200 })}"; /title TEXT changes it`,
    );
  },
};
