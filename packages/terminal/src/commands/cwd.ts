import { clippedLine } from "@incipit/schema/text";
import { statSync } from "node:fs";
import type { TerminalCommand } from "./command.ts";
import { pathFrom } from "./folder-path.ts";

export const cwd: TerminalCommand = {
  name: "cwd",
  summary: "shows the folder that tools work in, or gives them another one",
  argument: "[FOLDER]",
  async run({ session, tell }, argument) {
    if (argument === "") return tell(`Tools work in ${clippedLine(session.cwd, { maxCharacters: 400 })}`);
    const folder = pathFrom(session.cwd, argument);
    const shown = clippedLine(folder, { maxCharacters: 400 });
    // For an existing conversation, the host checks the folder.
    if (session.conversation === undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      return tell(`There is no folder ${shown}`, "bad");
    await session.setCwd(folder);
    tell(
      session.conversation === undefined
        ? `Tools work in ${shown} from here on`
        : `Tools work in ${shown} from here on; the prompt tells so once it is built anew (/rebuild)`,
      "good",
    );
    await session.lookForDrift();
  },
};
