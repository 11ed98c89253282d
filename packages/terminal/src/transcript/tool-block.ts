import type { Component } from "@earendil-works/pi-tui";
import { clippedLine } from "@incipit/host/text";
import type { Style } from "../style/style.ts";
import { Block, hanging, harmless } from "./block.ts";

/** A call of a tool that has ended. */
export interface EndedCall {
  readonly name: string;
  /** JSON text; `undefined`: not known here. */
  readonly input: string | undefined;
  readonly output: string | undefined;
  /** Why it failed. */
  readonly problem: string | undefined;
  /** How long it took; absent: not known. */
  readonly ms?: number;
}

/** Rows of an output that are shown; the rest is folded. */
const shownRows = 5;

/** The call on a line, with the beginning of what it gave below it. */
export function toolBlock(call: EndedCall, style: Style): Component {
  return new Block((width) => {
    const mark = call.problem === undefined ? style.good("●") : style.bad("●");
    const took = call.ms === undefined || call.ms < 1_000 ? "" : style.muted(`  ${(call.ms / 1_000).toFixed(1)} s`);
    const head = hanging(callText(call), { first: "  ", rest: "    ", width: width - 8 });
    const lines = head.map((line, index) => (index === 0 ? `${mark} ${line.slice(2)}${took}` : line));
    return [...lines, ...outputLines(call, { style, width })];
  });
}

/** The name with its arguments, in a line. */
export function callText({ name, input }: Pick<EndedCall, "name" | "input">): string {
  const shownName = clippedLine(name, { maxCharacters: 64 });
  const said = input === undefined ? "" : argumentsText(input);
  return said === "" ? shownName : `${shownName} ${said}`;
}

const maxArguments = 300;

/** One argument stands for itself; of several each has its name. */
function argumentsText(input: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(input);
  } catch {
    return clippedLine(input, { maxCharacters: maxArguments });
  }
  if (typeof parsed !== "object" || parsed === null) return clippedLine(input, { maxCharacters: maxArguments });
  const entries = Object.entries(parsed);
  const [only] = entries;
  if (entries.length === 1 && only !== undefined)
    return clippedLine(valueText(only[1]), { maxCharacters: maxArguments });
  const text = entries.map(([name, value]) => `${name}=${clippedLine(valueText(value), { maxCharacters: 80 })}`);
  return clippedLine(text.join(" "), { maxCharacters: maxArguments });
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function outputLines(
  { output, problem }: EndedCall,
  { style, width }: { readonly style: Style; readonly width: number },
): readonly string[] {
  const text = harmless((problem ?? output ?? "").trimEnd());
  if (text === "") return [];
  const rows = text.split("\n").flatMap((line) => hanging(line, { first: "    ", width }));
  const paint = problem === undefined ? style.muted : style.bad;
  const left = rows.length - shownRows;
  return [
    ...rows.slice(0, shownRows).map((row) => paint(row)),
    ...(left > 0
      ? [style.muted(`    … ${left} more ${left === 1 ? "row" : "rows"} (Ctrl-O shows all of it)`)]
      : []),
  ];
}
