import { clippedLine } from "../../shown-text.ts";
import { gutter } from "./gutter.ts";
import { inputText } from "./input-text.ts";

export interface AskedCall {
  /** Of the tool. */
  readonly name: string;
  /** JSON text. */
  readonly input: string;
}

/** More nobody reads before an answer: such a call is denied. In UTF-16 units. */
export const maxInputLength = 1_048_576;

/** Rows that a screen may not have room for. */
const manyRows = 20;
const maxNameLength = 64;

/** What a person has to know before the question: all of the call, and what an answer covers. */
export function approvalText({ name, input }: AskedCall, { width }: { readonly width: number }): string {
  const tool = toolName(name);
  const text = inputText(input);
  const rows = text === "" ? [] : gutter(text, { width });
  const long =
    rows.length > manyRows ? [`(${rows.length.toLocaleString("en-US")} rows, from "The model calls" on)`] : [];
  return [
    `The model calls ${tool} with${text === "" ? " nothing" : ""}`,
    ...rows,
    ...long,
    `y: this call. always: every call of ${tool} in this conversation, whatever it is called with, also after a restart; a fork asks again`,
    "",
  ].join("\n");
}

export function toolName(name: string): string {
  return `"${clippedLine(name, { maxCharacters: maxNameLength })}"`;
}
