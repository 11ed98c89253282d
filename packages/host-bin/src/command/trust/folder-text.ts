import { describeRequester, readGrant } from "@incipit/schema";
import type { FileTrust } from "@incipit/service-contract";
import { configName, type ExaminedFolder, type TrustedFolder } from "@incipit/host/trust";
import { gutter } from "@incipit/cli-text/questions";
import { quoted } from "@incipit/cli-text";
import { clippedLine, escapeHiddenLine } from "@incipit/schema/text";

export const trustLabels = {
  trusted: "trusted",
  "not-trusted": "not trusted",
  changed: "changed since you trusted it",
} as const satisfies Record<FileTrust, string>;

export function fileLines({ files, refused, repository }: ExaminedFolder): string {
  const known = files.map(
    ({ name, sizeBytes, trust }) => `  ${shownName(name)}  ${trustLabels[trust]}, ${sizeBytes} bytes\n`,
  );
  const others = refused.map(({ name, reason }) => `  ${shownName(name)}  cannot be trusted: ${quoted(reason)}\n`);
  const git = repository === undefined ? [] : [`  what git says of it  ${trustLabels[repository]}\n`];
  return [...known, ...git, ...others].join("");
}

function invalidGrantLines(grants: readonly string[]): string {
  return grants
    .map((grant) => ({ grant, read: readGrant(grant) }))
    .map(({ grant, read }) =>
      read.kind === "grant"
        ? ""
        : `      ${clippedLine(`"${grant}" does not count: ${read.why}`, { maxCharacters: 500 })}\n`,
    )
    .join("");
}

export function allowedLines({ allowed }: TrustedFolder): string {
  return allowed
    .map(
      ({ id, by, grants }) =>
        `    always allowed  ${id}  ${clippedLine(`${describeRequester(by)}: ${grants.join(", ")}`, { maxCharacters: 300 })}\n${invalidGrantLines(grants)}`,
    )
    .join("");
}

/** Rows that fit on a screen with the question. */
const maxSeen = 15;

/** Describes a folder. Each row has a mark that lines of the command itself never have. */
export function describeFolderTrust(folder: ExaminedFolder, { width }: { readonly width: number }): string {
  const { path, files, wishes, repository } = folder;
  const instructions = files.flatMap(({ name }) => (name === configName ? [] : [shownName(name)]));
  const told = instructions.length === 0 ? [] : [`may tell models what ${listText(instructions)}`];
  const git =
    repository === undefined
      ? []
      : ["may tell models what git says of it, such as its branch, also when that changes"];
  const all = [...wishes, ...told, ...git];
  const rows = gutter(all.map((wish) => `- ${wish}`).join("\n"), { width });
  // The most powerful items come first and may have scrolled away; the warning keeps a long list from hiding them.
  const warning =
    rows.length > maxSeen
      ? [`(${rows.length.toLocaleString("en-US")} rows, the weightiest first: read them all before you agree)`]
      : [];
  return [`In ${quoted(path)}:`, `${fileLines(folder)}Once you trust it, it`, ...rows, ...warning, ""].join("\n");
}

function listText(names: readonly string[]): string {
  return `${names.join(", ")} ${names.length === 1 ? "says" : "say"}`;
}

export function isOpen({ files, repository }: ExaminedFolder): boolean {
  return repository === "not-trusted" || files.some(({ trust }) => trust !== "trusted");
}

export function obstacleText(folder: ExaminedFolder): string | undefined {
  const { path, files, problem, repository } = folder;
  if (problem !== undefined)
    return `Cannot trust ${quoted(path)}: its configuration has mistakes\n${indentedLines(problem)}`;
  if (files.length > 0 || repository !== undefined) return undefined;
  return `There is nothing to trust in ${quoted(path)}: no incipit.toml, no file that tells models what to do, and no repository\n${fileLines(folder)}`;
}

/** Keys of an untrusted file may contain anything. */
export function indentedLines(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${escapeHiddenLine(line)}\n`)
    .join("");
}

function shownName(name: string): string {
  return /^[\w./-]+$/.test(name) ? name : quoted(name);
}
