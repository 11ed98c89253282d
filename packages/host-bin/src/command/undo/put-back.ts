import { clippedLine, lostText, removedFoldersText } from "@incipit/host/text";
import { maxRestoredFiles, type RestoredFiles } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import type { Output } from "../output/output.ts";
import { shownPath } from "./file-lines.ts";
import type { Way } from "./way.ts";

interface Shown {
  readonly words: Way["words"];
  readonly cwd: string;
  readonly output: Output;
}

/** Puts files back, in as many requests as it takes, and says behind each what became of its files: the next one may fail. */
export async function putBack(
  client: Client,
  { id, range, words }: Pick<Way, "id" | "range" | "words">,
  { paths, cwd, output }: { readonly paths: readonly string[]; readonly cwd: string; readonly output: Output },
): Promise<RestoredFiles["files"]> {
  const all: RestoredFiles["files"] = [];
  for (let done = 0; done < paths.length; done += maxRestoredFiles) {
    const body = { ...range, paths: paths.slice(done, done + maxRestoredFiles) };
    const { files } = await client.call(routes.restoreFiles, { params: { id }, body });
    tell(files, { words, cwd, output });
    all.push(...files);
  }
  return all;
}

function tell(files: RestoredFiles["files"], { words, cwd, output }: Shown): void {
  const named = (found: readonly { readonly path: string }[]): readonly string[] =>
    found.map(({ path }) => shownPath(path, cwd));
  const done = files.filter(({ outcome }) => outcome !== "left");
  if (done.length > 0) output.errLine(`${words.done}: ${named(done).join(", ")}`);
  const folders = done.flatMap(({ removedFolders = [] }) => removedFolders.map((path) => shownPath(path, cwd)));
  if (folders.length > 0) output.errLine(removedFoldersText(folders));
  const lost = named(done.filter(({ isKept }) => isKept === false));
  if (lost.length > 0) output.errLine(lostText(lost));
  for (const { path, outcome, why = words.failed } of files)
    if (outcome === "left") output.errLine(`${shownPath(path, cwd)}: ${clippedLine(why, { maxCharacters: 300 })}`);
}
