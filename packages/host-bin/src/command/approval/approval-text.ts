import { clippedLine } from "@incipit/host/text";
import type { ApprovalScope } from "@incipit/schema";
import { gutter } from "@incipit/host/questions";
import { inputText } from "./input-text.ts";

export interface AskedCall {
  /** Name of the tool. */
  readonly name: string;
  /** JSON text. */
  readonly input: string;
  /** What it would change, as the tool tells. */
  readonly preview?: string;
  /** The question is about this folder, which somebody else's export names. */
  readonly folder?: string;
  /** Why it is asked whatever was allowed. */
  readonly why?: string;
  /** What "always" may stand for. */
  readonly scopes?: readonly ApprovalScope[];
}

const maxWhyLength = 4_500;

/** More nobody reads before an answer: such a call is denied. In UTF-16 units. */
export const maxInputLength = 1_048_576;

/** Rows that a screen may not have room for. */
const manyRows = 20;
const maxNameLength = 64;

/** What a person has to know before the question: all of the call, and what an answer covers. */
export function approvalText(
  { name, input, preview, folder, why, scopes = [] }: AskedCall,
  { width }: { readonly width: number },
): string {
  const tool = toolName(name);
  const text = inputText(input);
  const rows = text === "" ? [] : gutter(text, { width });
  const told = preview === undefined ? [] : ["What it would do:", ...gutter(preview.replace(/\n$/, ""), { width })];
  const shown = rows.length + told.length;
  const long = shown > manyRows ? [`(${shown.toLocaleString("en-US")} rows, from "The model calls" on)`] : [];
  return [
    `The model calls ${tool} with${text === "" ? " nothing" : ""}`,
    ...rows,
    ...told,
    ...long,
    ...(why === undefined
      ? []
      : [`Asked whatever was allowed. ${clippedLine(why, { maxCharacters: maxWhyLength })}`]),
    ...(why !== undefined
      ? ["y: this call alone; always is the same here"]
      : folder === undefined
        ? [
            ...scopeRows(partsOf(scopes), { width }),
            `y: this call. always: every call of ${tool} in this conversation, whatever it is called with, also after a restart; a fork asks again`,
          ]
        : folderRows(folder, { width })),
    "",
  ].join("\n");
}

/** What an answer may cover beside one call and every call. */
export function partsOf(scopes: readonly ApprovalScope[]): readonly ApprovalScope[] {
  return scopes.filter(({ id }) => id !== "tool");
}

/** What they cover has names in it that a model has chosen. */
function scopeRows(scopes: readonly ApprovalScope[], options: { readonly width: number }): readonly string[] {
  return scopes.flatMap(({ label, covers }, index) => [
    `${index + 1}: always ${clippedLine(label, { maxCharacters: maxNameLength })}, in this conversation:`,
    ...gutter(covers, options),
  ]);
}

/** Once in a conversation that was imported. */
function folderRows(folder: string, options: { readonly width: number }): readonly string[] {
  return [
    "This conversation was imported. Whoever sent it has chosen the folder of its tools:",
    ...gutter(folder, options),
    "y: its tools may use that folder from here on, also after a restart; those that need approval ask for that, too; a fork asks again",
  ];
}

export function toolName(name: string): string {
  return `"${clippedLine(name, { maxCharacters: maxNameLength })}"`;
}
