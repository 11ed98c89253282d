import { count } from "@incipit/cli-text";
import { clippedLine } from "@incipit/schema/text";
import { existsSync } from "node:fs";
import { isConfirmed } from "./confirm.ts";
import type { TerminalCommand } from "./command.ts";
import { pathFrom } from "./folder-path.ts";

export const exported: TerminalCommand = {
  name: "export",
  summary: "exports the conversation to a file",
  argument: "FILE",
  async run({ session, choose, tell, writeExport }, argument) {
    const id = session.conversation?.id;
    if (id === undefined) return tell("The conversation is empty: nothing to export");
    if (argument === "") return tell("Name a file, for example: /export conversation.jsonl", "warning");
    const file = pathFrom(session.cwd, argument);
    const shown = clippedLine(file, { maxCharacters: 400 });
    const isThere = existsSync(file);
    if (isThere && !(await isConfirmed(`Replace ${shown}?`, { yes: "Replace it", no: "Cancel", choose })))
      return tell("Nothing was written");
    const sizeBytes = await writeExport(session.client, { id, file, isReplaced: isThere });
    tell(`Wrote ${count(sizeBytes)} bytes to ${shown}; incipit conversations import reads it`, "good");
  },
};
