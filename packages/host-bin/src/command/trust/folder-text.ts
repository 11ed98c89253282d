import type { FileTrust } from "@incipit/service-contract";
import type { ExaminedFolder } from "../../trust/examine-folder.ts";
import { configName } from "../../trust/folder-config.ts";
import { quoted } from "../../trust/quoted.ts";

const states = {
  trusted: "trusted",
  "not-trusted": "not trusted",
  changed: "changed since you trusted it",
} as const satisfies Record<FileTrust, string>;

/** Each file of a folder with what a person has said of it. */
export function fileLines({ files, refused }: ExaminedFolder): string {
  const known = files.map(
    ({ name, sizeBytes, trust }) => `  ${shownName(name)}  ${states[trust]}, ${sizeBytes} bytes\n`,
  );
  const others = refused.map(({ name, reason }) => `  ${shownName(name)}  cannot be trusted: ${quoted(reason)}\n`);
  return [...known, ...others].join("");
}

/** So many are on the screen with the question. */
const maxSeen = 15;

/** What a person agrees to who trusts a folder. */
export function folderWords(folder: ExaminedFolder): string {
  const { path, files, wishes } = folder;
  const instructions = files.flatMap(({ name }) => (name === configName ? [] : [shownName(name)]));
  const told =
    instructions.length === 0 ? [] : [`vouches for ${instructions.join(", ")}, which models may be told`];
  const all = [...wishes, ...told];
  // What weighs most stands first, and may have left the screen: nobody hides it behind a thousand small things.
  const isLong = all.length > maxSeen;
  const warning = isLong
    ? `These are ${all.length} things, the weightiest first: read them all before you agree\n`
    : "";
  const lines = all.map((wish) => `  - ${wish}\n`).join("");
  return `Whoever trusts ${quoted(path)}\n${fileLines(folder)}agrees that it\n${lines}${warning}`;
}

function shownName(name: string): string {
  return /^[\w./-]+$/.test(name) ? name : quoted(name);
}
