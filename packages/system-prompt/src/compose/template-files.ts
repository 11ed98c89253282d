import { relativeWithin } from "@incipit/common";
import type { FolderAbsentReason, Host } from "@incipit/kernel";
import type { TemplateFilesResponse } from "@incipit/schema";
import { ServiceError, type PromptTemplates } from "@incipit/service-contract";
import { dirname, join, resolve } from "node:path";
import { checkCwd } from "./check-cwd.ts";

const maxEntries = 1_000;
const timeoutMs = 5_000;

export function listTemplateFiles({ fs, signal: closing }: Pick<Host, "fs" | "signal">): PromptTemplates["files"] {
  return async ({ cwd: asked, folder = "" }, { defaultCwd, signal = closing }) => {
    checkCwd({ cwd: asked });
    const cwd = asked ?? defaultCwd;
    const place = resolve(cwd, folder);
    const shownPath = (path: string): string => relativeWithin(cwd, path) ?? path;
    const list = async (path: string, most: number): ReturnType<typeof fs.list> =>
      fs.list(path, { cwd, maxEntries: most, timeoutMs, signal });
    const listed = await list(place, maxEntries);
    if (listed.kind === "absent")
      throw new ServiceError("INVALID_REQUEST", `Cannot list the folder "${place}": ${reasons[listed.reason]}`, {
        details: [{ field: '"folder"' }],
      });
    const above = dirname(place);
    const hasParent = above !== place && (await list(above, 0)).kind === "listed";
    const entries = listed.entries.flatMap(({ name, kind, sizeBytes }): TemplateFilesResponse["entries"] =>
      kind === "other" ? [] : [{ name, kind, path: shownPath(join(place, name)), sizeBytes }],
    );
    return {
      cwd,
      folder: shownPath(place),
      parent: hasParent ? shownPath(above) : null,
      entries: [
        ...entries.filter(({ kind }) => kind === "folder"),
        ...entries.filter(({ kind }) => kind !== "folder"),
      ],
      leftOut: listed.leftOut,
    };
  };
}

const reasons: Readonly<Record<FolderAbsentReason, string>> = {
  "not-found": "it is not there",
  denied: "the prompt builder may not read it (grants of `system-prompt`)",
  "not-a-folder": "it is not a folder",
  timeout: `it did not answer within ${timeoutMs / 1_000} s`,
  failed: "the system refused it",
};
