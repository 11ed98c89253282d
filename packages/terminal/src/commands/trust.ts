import { trustText } from "@incipit/cli-text";
import { clippedLine } from "@incipit/schema/text";
import type { Explain } from "@incipit/schema";
import { Block, hanging, harmless } from "../transcript/block.ts";
import { columns } from "./columns.ts";
import type { TerminalCommand } from "./command.ts";
import { promptOf } from "./conversation-prompt.ts";

export const trust: TerminalCommand = {
  name: "trust",
  summary: "shows the folder's requests and your trust, and offers to trust it",
  async run({ session, style, print, tell, choose, folderTrust }) {
    const { cwd } = session;
    const folder = await folderTrust(cwd);
    const { explain } = await promptOf(session);
    const told = toldRows(explain);
    print(
      new Block((width) => [
        "",
        ...harmless(folder.words(width).trimEnd())
          .split("\n")
          .flatMap((line) => hanging(line, { first: "", width })),
        ...(told.length === 0 ? [] : ["", style.strong("Variables from the folder")]),
        ...columns(told, { width }),
      ]),
    );
    if (folder.trust === undefined) return;
    // "No" comes first, so that an accidental Enter does not trust a folder.
    const choices = [
      { value: "no", label: "Cancel" },
      { value: "yes", label: "Trust it" },
    ];
    const chosen = await choose(`Trust ${shown(cwd)} with its current content?`, choices, { isQuestion: true });
    if (chosen !== "yes") return tell("Nothing was changed");
    folder.trust();
    tell(`${shown(cwd)} is trusted with its current content`, "good");
    await session.lookForDrift();
  },
};

function toldRows({ variables }: Explain): readonly (readonly string[])[] {
  return variables.flatMap(({ type, name, trust: state, source, files }) => [
    ...(state === null ? [] : [[shown(`[${type}:${name}] ${source}`), trustText[state]]]),
    ...(files ?? []).flatMap((file) => (file.trust === null ? [] : [[shown(file.path), trustText[file.trust]]])),
  ]);
}

function shown(text: string): string {
  return clippedLine(text, { maxCharacters: 300 });
}
