import { clippedLine, trustText } from "@incipit/host/text";
import type { Explain } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { Block, hanging } from "../transcript/block.ts";
import { columns } from "./columns.ts";
import type { TerminalCommand } from "./command.ts";
import { promptOf } from "./kept-prompt.ts";

export const trust: TerminalCommand = {
  name: "trust",
  summary: "shows what the folder asks for, and what of it you trust",
  async run({ session, style, print }) {
    const { client, cwd } = session;
    const { folders } = await client.call(routes.listTrustedFolders);
    const { explain } = await promptOf(session);
    const known = folders.find(({ path }) => path === cwd);
    const files = known?.files.map(({ name, state }) => [shown(name), stateWords[state]]) ?? [];
    const told = toldRows(explain);
    const wishes = known?.wishes ?? [];
    print(
      new Block((width) => [
        "",
        ...hanging(style.strong(`${shown(cwd)} ${known === undefined ? "is not trusted" : "is trusted"}`), {
          first: "",
          width,
        }),
        ...columns(files, { width }),
        ...(known?.problem == null ? [] : hanging(shown(known.problem), { first: "  ", width }).map(style.bad)),
        ...wishes.flatMap((wish) => hanging(`- ${shown(wish)}`, { first: "  ", rest: "    ", width })),
        ...(told.length === 0 ? [] : ["", style.strong("What the model is told of folders")]),
        ...columns(told, { width }),
        "",
        ...hanging(
          "Nobody trusts a folder over the network: incipit trust shows all that this one asks for, incipit trust add asks you, and a yes counts here, too",
          { first: "", width },
        ).map(style.muted),
        "",
      ]),
    );
  },
};

const stateWords = { ...trustText, gone: "trusted, and gone" } as const;

/** Texts from working folders that a prompt has, or would have. */
function toldRows({ variables }: Explain): readonly (readonly string[])[] {
  return variables.flatMap(({ type, name, trust: state, source, files }) => [
    ...(state === null ? [] : [[shown(`[${type}:${name}] ${source}`), trustText[state]]]),
    ...(files ?? []).flatMap((file) => (file.trust === null ? [] : [[shown(file.path), trustText[file.trust]]])),
  ]);
}

function shown(text: string): string {
  return clippedLine(text, { maxCharacters: 300 });
}
