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

/** What a person agrees to who trusts a folder. */
export function folderWords(folder: ExaminedFolder): string {
  const { path, files, wishes } = folder;
  const instructions = files.flatMap(({ name }) => (name === configName ? [] : [shownName(name)]));
  const told =
    instructions.length === 0 ? [] : [`vouches for ${instructions.join(", ")}, which models may be told`];
  return `Whoever trusts ${quoted(path)}\n${fileLines(folder)}agrees that it\n${[...wishes, ...told].map((wish) => `  - ${wish}\n`).join("")}`;
}

function shownName(name: string): string {
  return /^[\w./-]+$/.test(name) ? name : quoted(name);
}
