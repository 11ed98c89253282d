import type { FileTrust } from "@incipit/service-contract";
import { configName, type ExaminedFolder } from "@incipit/host/trust";
import { gutter } from "../approval/gutter.ts";
import { quoted } from "@incipit/host/text";

/** What a person has said of a file, in words. */
export const trustWords = {
  trusted: "trusted",
  "not-trusted": "not trusted",
  changed: "changed since you trusted it",
} as const satisfies Record<FileTrust, string>;

/** Each file of a folder, and its repository, with what a person has said of it. */
export function fileLines({ files, refused, repository }: ExaminedFolder): string {
  const known = files.map(
    ({ name, sizeBytes, trust }) => `  ${shownName(name)}  ${trustWords[trust]}, ${sizeBytes} bytes\n`,
  );
  const others = refused.map(({ name, reason }) => `  ${shownName(name)}  cannot be trusted: ${quoted(reason)}\n`);
  const git = repository === undefined ? [] : [`  what git says of it  ${trustWords[repository]}\n`];
  return [...known, ...git, ...others].join("");
}

/** So many rows are on the screen with the question. */
const maxSeen = 15;

/** What a person agrees to who trusts a folder: all of it, each row with a mark that the command's own lines do not have. */
export function folderWords(folder: ExaminedFolder, { width }: { readonly width: number }): string {
  const { path, files, wishes, repository } = folder;
  const instructions = files.flatMap(({ name }) => (name === configName ? [] : [shownName(name)]));
  const told =
    instructions.length === 0 ? [] : [`vouches for ${instructions.join(", ")}, which models may be told`];
  const git =
    repository === undefined ? [] : ["vouches for what git says of it, such as its branch, also when that changes"];
  const all = [...wishes, ...told, ...git];
  const rows = gutter(all.map((wish) => `- ${wish}`).join("\n"), { width });
  // What weighs most stands first, and may have left the screen: nobody hides it behind a thousand small things.
  const warning =
    rows.length > maxSeen
      ? [`(${rows.length.toLocaleString("en-US")} rows, the weightiest first: read them all before you agree)`]
      : [];
  return [`Whoever trusts ${quoted(path)}`, `${fileLines(folder)}agrees that it`, ...rows, ...warning, ""].join(
    "\n",
  );
}

function shownName(name: string): string {
  return /^[\w./-]+$/.test(name) ? name : quoted(name);
}
