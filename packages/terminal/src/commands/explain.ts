import { explainTables } from "@incipit/cli-text";
import { clippedLine } from "@incipit/schema/text";
import { leftOutToolText } from "@incipit/schema";
import { Block, hanging, harmless } from "../transcript/block.ts";
import { columns } from "./columns.ts";
import type { TerminalCommand } from "./command.ts";
import { promptOf, sizeText } from "./conversation-prompt.ts";

const maxRows = 200;
const maxWord = 80;

export const explain: TerminalCommand = {
  name: "explain",
  summary: "shows where each part of the prompt came from",
  async run({ session, style, print }) {
    const { text, explain: found, leftOutTools, kept } = await promptOf(session);
    const tables = explainTables(found, text).map(({ title, rows }) => ({
      title,
      rows: rows.slice(0, maxRows).map((row) => row.map((word) => clippedLine(word, { maxCharacters: maxWord }))),
      left: Math.max(0, rows.length - maxRows),
    }));
    const told =
      kept === undefined
        ? ["Nothing was sent yet: a preview of the first request"]
        : found.isImported === true
          ? ["This prompt was imported; its sender provided the data below"]
          : [];
    const leftOut = leftOutTools.map(leftOutToolText);
    print(
      new Block((width) => [
        "",
        ...told.flatMap((line) => [...hanging(style.muted(line), { first: "", width }), ""]),
        ...tables.flatMap(({ title, rows, left }) => [
          style.strong(title),
          ...columns(rows, { width }),
          ...(left === 0 ? [] : [style.muted(`  … and ${left} more (incipit conversations explain shows them)`)]),
          "",
        ]),
        ...hanging(style.muted(sizeText(found, width)), { first: "", width }),
        ...leftOut.flatMap((line) => hanging(harmless(line), { first: "! ", width }).map(style.warning)),
      ]),
    );
  },
};
