import { clippedLine } from "@incipit/schema/text";
import { gutter } from "@incipit/cli-text/questions";
import { approvalLines, escapeBlanks, renderApproval, type RenderedApproval } from "@incipit/schema";

export type AskedCall = Parameters<typeof renderApproval>[0];

/** In UTF-16 units. A call with longer arguments is denied: users do not read more before they answer. */
const maxInputLength = 1_048_576;

const manyRows = 20;
const maxNameLength = 64;

export function unreadable({ input, ...call }: AskedCall): string | undefined {
  if (input.length > maxInputLength)
    return `its arguments have ${input.length} characters, and nobody reads more than ${maxInputLength} before an answer`;
  return renderApproval({ ...call, input }).isWhole ? undefined : "part of it is missing";
}

export function approvalText(call: AskedCall, { width }: { readonly width: number }): string {
  const rendered = renderApproval(call);
  const { reason, folder, scopes, forFolder, preview, isWhole } = rendered;
  const tool = toolName(call.name);
  const text = approvalLines({ ...rendered, preview: undefined }).join("\n");
  const rows = text === "" ? [] : gutter(text, { width });
  const told = preview === undefined ? [] : ["What it would do:", ...gutter(preview.text, { width })];
  const count = rows.length + told.length;
  const long = count > manyRows ? [`(${count.toLocaleString("en-US")} rows, from "The model calls" on)`] : [];
  return [
    `The model calls ${tool}${rendered.owner} with${text === "" ? " nothing" : ""}`,
    ...rows,
    ...told,
    ...long,
    ...(isWhole ? [] : ["Part of the call is missing: you can only deny it"]),
    ...(reason === undefined ? [] : [`Asked whatever was allowed. ${reason}`]),
    ...(reason !== undefined
      ? ["y: this call alone; always is the same here"]
      : folder === undefined
        ? [
            ...scopeRows(partsOf(scopes), { width }),
            `y: this call. always: every call of ${tool} in this conversation, whatever it is called with, also after a restart; a fork asks again`,
            ...(forFolder === undefined ? [] : laterRows(forFolder, { width })),
          ]
        : folderRows(folder, { width })),
    "",
  ].join("\n");
}

export function partsOf<Scope extends { readonly id: string }>(scopes: readonly Scope[]): readonly Scope[] {
  return scopes.filter(({ id }) => id !== "tool");
}

/** Scopes contain names chosen by the model, so each row has a gutter mark. */
function scopeRows(scopes: RenderedApproval["scopes"], options: { readonly width: number }): readonly string[] {
  return scopes.flatMap(({ label, covers }, index) => [
    `${index + 1}: always ${clippedLine(label, { maxCharacters: maxNameLength })}, in this conversation:`,
    ...gutter(covers, options),
  ]);
}

function laterRows(folder: string, options: { readonly width: number }): readonly string[] {
  return [
    '"folder" behind a number or "always": in each conversation in this folder, for as long as you trust it:',
    ...gutter(folder, options),
  ];
}

function folderRows(folder: string, options: { readonly width: number }): readonly string[] {
  return [
    "This conversation was imported. Whoever sent it has chosen the folder of its tools:",
    ...gutter(folder, options),
    "y: its tools may use that folder from here on, also after a restart; those that need approval ask for that, too; a fork asks again",
  ];
}

export function toolName(name: string): string {
  return `"${clippedLine(escapeBlanks(name), { maxCharacters: maxNameLength })}"`;
}
