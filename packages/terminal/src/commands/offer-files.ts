import { changedPath, leftAlone, otherToolsText, restoredLines, type FileChangeLabels } from "@incipit/cli-text";
import { clippedLine } from "@incipit/schema/text";
import {
  isUnifiedDiff,
  type ChangedFile,
  type Conversation,
  type FileChanges,
  type FileChangesQuery,
  type RestoredFiles,
} from "@incipit/schema";
import { restoreFiles } from "@incipit/transport-contract";
import type { Component } from "@earendil-works/pi-tui";
import { Block, hanging } from "../transcript/block.ts";
import type { Level } from "../transcript/message-blocks.ts";
import { numberedRows } from "../transcript/numbered-diff.ts";
import type { Style } from "../style/style.ts";
import type { CommandContext } from "./command.ts";

export interface Offer {
  readonly id: Conversation["id"];
  readonly range: FileChangesQuery;
  readonly changes: FileChanges;
  readonly question: string;
  readonly words: OfferWords;
}

export interface OfferWords extends FileChangeLabels {
  /** Follows "The files were not changed"; `them` is "it" or "them". */
  readonly later?: (them: string) => string;
}

interface ToldLine {
  readonly text: string;
  readonly level: Level;
}

const maxNames = 20;
const maxRows = 24;

/**
 * Results go to `tellOutcome`, printed once the conversation to continue in is open; `undefined` if the user declines.
 */
export async function offerFiles(context: CommandContext, offer: Offer): Promise<readonly ToldLine[] | undefined> {
  const { words, changes } = offer;
  const { files, otherTools } = changes;
  const { style, print, tell, choose, session } = context;
  const changed = files.filter(({ state }) => state !== "unchanged");
  if (changed.length > 0) print(filesBlock(changed, { style, cwd: session.cwd, actions: words.actions }));
  if (otherTools.length > 0) tell(otherToolsText(otherTools.map(clipped)));
  const restorable = changed.filter(({ state }) => state === "restorable");
  if (restorable.length === 0) return [];
  const isOne = restorable.length === 1;
  const what = isOne ? "file" : "files";
  const choices = [
    { value: "yes", label: capitalized(words.label(`the ${what}`)) },
    { value: "no", label: `Leave the ${what} unchanged` },
    { value: "nothing", label: "Cancel" },
  ];
  const title = `${offer.question} (${restorable.length} ${what})`;
  const chosen = await choose(title, choices, { isQuestion: true });
  if (chosen === "yes") return putBack(context, offer, restorable);
  if (chosen === "no") return [{ text: leftText(words, { isOne }), level: "muted" }];
  tell("Nothing was changed");
  return undefined;
}

/** Prints even if `open` fails. */
export async function tellOutcome(
  { tell }: Pick<CommandContext, "tell">,
  outcome: readonly ToldLine[],
  open: () => Promise<void>,
): Promise<void> {
  try {
    await open();
  } finally {
    for (const { text, level } of outcome) tell(text, level);
  }
}

async function putBack(
  { session, tell }: CommandContext,
  { id, range, words }: Offer,
  files: readonly ChangedFile[],
): Promise<readonly ToldLine[]> {
  const paths = files.map(({ path }) => path);
  const done: RestoredFiles["files"] = [];
  const told = (): readonly ToldLine[] => restoredLines(done, { words, cwd: session.cwd, maxNames });
  try {
    for await (const restored of restoreFiles(session.client, id, { range, paths })) done.push(...restored);
  } catch (error) {
    for (const { text, level } of told()) tell(text, level);
    throw error;
  }
  return told();
}

function leftText({ later }: OfferWords, { isOne }: { readonly isOne: boolean }): string {
  const left = isOne ? "The file was not changed" : "The files were not changed";
  return later === undefined ? left : `${left}. ${later(isOne ? "it" : "them")}`;
}

function filesBlock(
  files: readonly ChangedFile[],
  { style, cwd, actions }: { readonly style: Style; readonly cwd: string } & Pick<OfferWords, "actions">,
): Component {
  return new Block((width) => [
    "",
    ...files.flatMap(({ path, action, preview, why }) => {
      const name = changedPath(path, cwd);
      const said = action === undefined ? clipped(why ?? leftAlone) : actions[action];
      const paint = action === undefined ? style.warning : style.strong;
      const head = hanging(`${name}: ${said}`, { first: "  ", rest: "    ", width }).map(paint);
      const reason =
        action === undefined || why === undefined
          ? []
          : hanging(clipped(why), { first: "    ! ", width }).map(style.warning);
      return [...head, ...reason, ...previewRows(preview, { style, width })];
    }),
  ]);
}

function previewRows(
  preview: string | undefined,
  { style, width }: { readonly style: Style; readonly width: number },
): readonly string[] {
  // Created and removed files are covered by their line.
  if (preview === undefined || !isUnifiedDiff(preview)) return [];
  const rows = numberedRows(preview, { style, width });
  const more = rows.length - maxRows;
  return more <= 0
    ? rows
    : [...rows.slice(0, maxRows), style.muted(`    … ${more} more ${more === 1 ? "row" : "rows"}`)];
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function clipped(text: string): string {
  return clippedLine(text, { maxCharacters: 300 });
}
