import { clippedLine } from "@incipit/schema/text";
import { statSync } from "node:fs";
import type { TerminalCommand } from "./command.ts";
import { pathFrom } from "./folder-path.ts";

export const cwd: TerminalCommand = {
  name: "cwd",
  summary: "shows or changes the working folder of the tools",
  argument: "[FOLDER]",
  async run({ session, tell }, argument) {
    if (argument === "") return tell(`Working folder: ${clippedLine(session.cwd, { maxCharacters: 400 })}`);
    const folder = pathFrom(session.cwd, argument);
    const shown = clippedLine(folder, { maxCharacters: 400 });
    // For an existing conversation, the host checks the folder.
    if (session.conversation === undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      return tell(`The folder ${shown} does not exist`, "bad");
    await session.setCwd(folder);
    tell(
      session.conversation === undefined
        ? `Working folder: ${shown}`
        : `Working folder: ${shown}; /rebuild updates the prompt`,
      "good",
    );
    await session.lookForDrift();
  },
};
