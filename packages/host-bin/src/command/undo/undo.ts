import type { FileChanges, RestoredFiles } from "@incipit/schema";
import { type Client, fileChanges, restoreFiles, routes } from "@incipit/transport-contract";
import { isDeepStrictEqual } from "node:util";
import { calledConversation, type ConversationCall } from "../arguments/conversation-call.ts";
import { isAgreed } from "../questions/is-agreed.ts";
import { isAtTerminal } from "../terminal/terminal-input.ts";
import { planRedo, planUndo, type UndoPlan } from "./undo-plan.ts";
import { changedPath, type FileChangeLabels, leftAlone, otherToolsText, restoredLines } from "@incipit/cli-text";
import { clippedLine } from "@incipit/schema/text";
import type { Output } from "../output/output.ts";

/** Prints only the id of the conversation to continue to stdout. */
export async function undo(
  command: "undo" | "redo",
  call: ConversationCall<[], "isDryRun" | "isKeepingFiles" | "isGranted">,
): Promise<number> {
  const { client, id, output } = await calledConversation(call);
  const { isDryRun, isGranted, isJson, isKeepingFiles } = call.args;
  const plan = await planOf(client, command, { id, isKeepingFiles });
  const { way, changes, cwd } = plan;
  const paths = changes.files.flatMap(({ path, state }) => (state === "restorable" ? path : []));
  const lines = [...way.told, ...fileLines(changes, { cwd, words: way.words })];
  if (isDryRun && isJson) output.outLine(JSON.stringify({ ...way.facts, ...changes }));
  else for (const line of lines) (isDryRun ? output.outLine : output.errLine)(line);
  if (isDryRun) return 0;

  const count = paths.length === 1 ? "a file" : `${paths.length} files`;
  const question = `${way.step}${paths.length === 0 ? "" : `, and ${way.words.label(count)}`}? [y/N] `;
  // Switching the conversation alone is harmless.
  if (!isGranted && !isKeepingFiles) {
    if (!(await isAgreed(question, output))) {
      const how = isAtTerminal() ? "" : `: there is no terminal to ask "${question.trim()}" at`;
      output.errLine(
        `Nothing was changed${how} ("--yes" does it without a question, "--keep-files" leaves the files as they are)`,
      );
      return 1;
    }
    // The yes covers the displayed state, which another client or program may have changed in the meantime.
    if (!isSame(await planOf(client, command, { id, isKeepingFiles }), plan)) {
      output.errLine(
        `Nothing was changed: while you were asked, the conversation or the files have changed. To see what would happen now: incipit ${command} ${id}`,
      );
      return 1;
    }
  }
  const files = await putBack(client, way, { paths, cwd, output });
  const { conversation: next, back } = await way.go();
  if (isJson)
    output.outLine(JSON.stringify({ conversation: next, ...way.facts, files, otherTools: changes.otherTools }));
  else output.outLine(next.id);
  output.errLine(back);
  output.errLine(`To go on: incipit -s ${next.id} "…"`);
  return files.some(({ outcome }) => outcome === "left") ? 1 : 0;
}

interface Plan {
  readonly way: UndoPlan;
  readonly changes: FileChanges;
  readonly cwd: string;
}

/** @throws {Error} when a turn is running, or there is nothing to undo or redo. */
async function planOf(
  client: Client,
  command: "undo" | "redo",
  { id, isKeepingFiles }: { readonly id: string; readonly isKeepingFiles: boolean },
): Promise<Plan> {
  const { conversation } = await client.call(routes.getConversation, { params: { id } });
  const { cwd, status } = conversation;
  if (status === "running" || status === "compacting")
    throw new Error(`Something runs in ${id}; wait for its end, or stop it: incipit stop ${id}`);
  const way = command === "undo" ? await planUndo(client, conversation) : await planRedo(client, conversation);
  return {
    way,
    cwd,
    changes: isKeepingFiles ? { files: [], otherTools: [] } : await fileChanges(client, way.id, way.range),
  };
}

function isSame(one: Plan, other: Plan): boolean {
  return isDeepStrictEqual([one.way.facts, one.changes], [other.way.facts, other.changes]);
}

const maxLines = 24;

function fileLines(
  { files, otherTools }: FileChanges,
  { cwd, words }: { readonly cwd: string; readonly words: FileChangeLabels },
): readonly string[] {
  const changed = files.filter(({ state }) => state !== "unchanged");
  return [
    ...changed.flatMap(({ path, action, preview, why }) => {
      const name = changedPath(path, cwd);
      if (action === undefined) return [`  ${name}: ${clipped(why ?? leftAlone)}`];
      const reason = why === undefined ? [] : [`    ! ${clipped(why)}`];
      return [`  ${name}: ${words.actions[action]}`, ...reason, ...previewLines(preview)];
    }),
    ...(otherTools.length === 0 ? [] : [otherToolsText(otherTools.map(clipped))]),
  ];
}

function previewLines(preview: string | undefined): readonly string[] {
  const hunks = preview === undefined ? undefined : /^--- .*\n\+\+\+ .*\n([^]*)$/.exec(preview)?.[1];
  if (hunks === undefined) return [];
  const lines = hunks.trimEnd().split("\n");
  const shown = lines.slice(0, maxLines).map((line) => `    ${clipped(line)}`);
  const more = lines.length - maxLines;
  return more <= 0 ? shown : [...shown, `    … ${more} more ${more === 1 ? "line" : "lines"}`];
}

function clipped(text: string): string {
  return clippedLine(text, { maxCharacters: 300 });
}

/** Prints the result of each batch before the next, which may fail. */
export async function putBack(
  client: Client,
  { id, range, words }: Pick<UndoPlan, "id" | "range" | "words">,
  { paths, cwd, output }: { readonly paths: readonly string[]; readonly cwd: string; readonly output: Output },
): Promise<RestoredFiles["files"]> {
  const all: RestoredFiles["files"] = [];
  for await (const files of restoreFiles(client, id, { range, paths })) {
    for (const { text } of restoredLines(files, { words, cwd })) output.errLine(text);
    all.push(...files);
  }
  return all;
}
