import { clippedLine } from "@incipit/schema/text";
import type { TerminalCommand } from "./command.ts";

export const title: TerminalCommand = {
  name: "title",
  summary: "gives the conversation a title",
  argument: "[TEXT]",
  async run({ session, tell }, argument) {
    if (argument !== "") {
      await session.setTitle(argument.replaceAll(/\s+/g, " "));
      return tell(
        `It is called "${clippedLine(session.conversation?.title ?? argument, { maxCharacters: 200 })}" from here on`,
        "good",
      );
    }
    const before = session.conversation?.title ?? null;
    tell(
      before === null
        ? "It has no title yet: its first message gives one, and /title TEXT another"
        : `It is called "${clippedLine(before, { maxCharacters: 200 })}"; /title TEXT changes that`,
    );
  },
};
