import { describeRequester } from "@incipit/schema";
import { shortId } from "../output/short-id.ts";
import { quoted } from "@incipit/cli-text";
import { clippedLine } from "@incipit/schema/text";
import {
  examineFolder,
  openTrustStore,
  readFolderConfig,
  type ExaminedFolder,
  type TrustStore,
} from "@incipit/host/trust";
import type { FolderTrust } from "@incipit/terminal";
import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "../registry/usage-error.ts";
import { coreSchema } from "../../config/core-schema.ts";
import { fileLines, describeFolderTrust, isOpen, obstacleText } from "./folder-text.ts";

export function folderTrust(given: string, { dataFolder }: { readonly dataFolder: string }): FolderTrust {
  const reports: string[] = [];
  const store = openTrustStore(dataFolder, (line) => reports.push(`${line}\n`));
  const examined = examineFolder(readFolderConfig(realFolder(given)), { store, schema: coreSchema });
  const obstacle = obstacleText(examined);
  const reported = reports.join("");
  if (obstacle !== undefined) return { words: () => reported + obstacle, trust: undefined };
  if (!isOpen(examined))
    return {
      words: () =>
        `${reported}${quoted(examined.path)} is trusted with what it holds now\n${fileLines(examined)}${allowedText(store, examined.path)}`,
      trust: undefined,
    };
  return {
    words: (width) => reported + describeFolderTrust(examined, { width }),
    trust: () => trustAsRead(examined, store),
  };
}

function allowedText(store: TrustStore, path: string): string {
  const folder = store.folder(path);
  if (folder === undefined || folder.allowed.length === 0) return "";
  const lines = folder.allowed.map(
    ({ id, by, grants }) =>
      `  ${clippedLine(`${describeRequester(by)}: ${grants.join(", ")}`, { maxCharacters: 300 })}\n    to be asked again:\n      incipit trust take-back ${shortId(id)}\n`,
  );
  return `Always allowed in its conversations\n${lines.join("")}`;
}

export function trustAsRead({ path, files }: ExaminedFolder, store: TrustStore): void {
  store.trust(path, Object.fromEntries(files.map(({ name, sha256 }) => [name, sha256])));
}

export function realFolder(given: string): string {
  if (statSync(given, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`There is no folder ${quoted(resolve(given))}`);
  return realpathSync(given);
}
