import { clippedLine } from "@incipit/schema/text";
import { inputText, type Message } from "@incipit/schema";
import type { Component } from "@earendil-works/pi-tui";
import { emptyRow, harmless, hanging, Block } from "../transcript/block.ts";
import { foldedText } from "../transcript/folded-text.ts";
import { pastCalls } from "../transcript/past-blocks.ts";
import { callText, wholeToolBlock, type EndedCall } from "../transcript/tool-block.ts";
import type { Style } from "../style/style.ts";
import type { TerminalCommand } from "./command.ts";
import { newestMessages } from "./history.ts";
import { shownLines } from "./message-text.ts";
import { usageText } from "./run-command.ts";

const lookedThrough = 500;
/** Outputs and arguments up to this length are never clipped. */
const neverCut = 80;
const neverFoldedLines = 5;
/** Thoughts are clipped after two rows; a terminal has at least 20 columns. */
const neverCutThought = 40;

interface Fold {
  readonly label: string;
  readonly text: string;
  readonly block: Component;
}

export const expand: TerminalCommand = {
  name: "expand",
  summary: "shows a tool call, a thought or a long message in full; N counts from the newest",
  argument: "[N]",
  async run(context, argument) {
    const { choose, print, tell, style } = context;
    if (argument !== "" && !/^[1-9]\d{0,5}$/.test(argument)) return tell(usageText(expand), "warning");
    const messages = await newestMessages(context, lookedThrough);
    const folds = foldsOf(messages.toReversed(), style).toReversed();
    if (folds.length === 0) return tell("Nothing is folded: the screen shows the whole conversation");
    const choices = folds.map(({ label, text }, index) => ({
      value: String(index + 1),
      label,
      description: sizeText(text),
    }));
    const preview = (value: string): readonly string[] => shownLines(folds[Number(value) - 1]?.text ?? "");
    const only = folds.length === 1 ? "1" : undefined;
    const chosen = argument === "" ? (only ?? (await choose("Show in full:", choices, { preview }))) : argument;
    if (chosen === undefined) return;
    const fold = folds[Number(chosen) - 1];
    if (fold === undefined) return tell(`No item ${chosen}: choose 1 to ${folds.length}`, "warning");
    print(emptyRow);
    print(fold.block);
  },
};

function sizeText(text: string): string {
  const lines = text.trimEnd().split("\n").length;
  return lines === 1
    ? `${text.length.toLocaleString("en-US")} characters`
    : `${lines.toLocaleString("en-US")} lines`;
}

function foldsOf(messages: readonly Message[], style: Style): readonly Fold[] {
  const calls = pastCalls(messages);
  return messages.flatMap((message) =>
    message.role === "user"
      ? longMessage(message, style)
      : message.parts.flatMap((part) => {
          if (part.type === "reasoning") return thought(part.text, style);
          const call = part.type === "tool-result" ? calls.get(part) : undefined;
          return call === undefined ? [] : foldedCall(call, style);
        }),
  );
}

function longMessage({ parts }: Message, style: Style): readonly Fold[] {
  const text = inputText(parts.filter((part) => part.type === "text" || part.type === "file")).trim();
  if (foldedText(text) === text) return [];
  const block = new Block((width) =>
    hanging(harmless(text), { first: "> ", width }).map((line) => style.strong(style.accent(line))),
  );
  return [{ label: `> ${clippedLine(text, { maxCharacters: 200 })}`, text, block }];
}

function thought(given: string, style: Style): readonly Fold[] {
  const text = given.trim();
  if (text.length <= neverCutThought && !text.includes("\n")) return [];
  const block = new Block((width) =>
    hanging(harmless(text), { first: "~ ", width }).map((row) => style.muted(style.italic(row))),
  );
  return [{ label: `~ ${clippedLine(text, { maxCharacters: 200 })}`, text, block }];
}

function foldedCall(call: EndedCall, style: Style): readonly Fold[] {
  const output = (call.output ?? "").trimEnd();
  const { input = "", diff } = call;
  const isWhole =
    input.length <= neverCut &&
    output.length <= neverCut &&
    output.split("\n").length <= neverFoldedLines &&
    diff === undefined;
  if (isWhole) return [];
  const text = diff ?? (output === "" ? input : output);
  return [{ label: callText(call), text, block: wholeToolBlock(call, style) }];
}
