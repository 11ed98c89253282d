import type { FolderAbsentReason, Host } from "@incipit/kernel";
import type { TemplateFilesResponse } from "@incipit/schema";
import { ServiceError, type PromptTemplates } from "@incipit/service-contract";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { checkCwd } from "./check-cwd.ts";

const maxEntries = 1_000;
const timeoutMs = 5_000;

export function listTemplateFiles({ fs, signal: closing }: Pick<Host, "fs" | "signal">): PromptTemplates["files"] {
  return async ({ cwd: asked, folder = "" }, { defaultCwd, signal = closing }) => {
    checkCwd({ cwd: asked });
    const cwd = asked ?? defaultCwd;
    const place = resolve(cwd, folder);
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
      kind === "other" ? [] : [{ name, kind, path: pathFrom(cwd, join(place, name)), sizeBytes }],
    );
    return {
      cwd,
      folder: pathFrom(cwd, place),
      parent: hasParent ? pathFrom(cwd, above) : null,
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

function pathFrom(cwd: string, path: string): string {
  const rest = relative(cwd, path);
  return rest === ".." || rest.startsWith(`..${sep}`) || isAbsolute(rest) ? path : rest;
}
