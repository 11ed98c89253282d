import { visibleWidth, wrapTextWithAnsi, type Component } from "@earendil-works/pi-tui";
import { clippedLine } from "@incipit/schema/text";
import type { Style } from "../style/style.ts";
import { Block, hanging, harmless } from "./block.ts";
import { numberedRows } from "./numbered-diff.ts";

export interface EndedCall {
  readonly name: string;
  readonly input: string | undefined;
  readonly output: string | undefined;
  readonly problem: string | undefined;
  readonly ms?: number;
  readonly diff?: string;
  /** Absent for approved calls and those without approval. */
  readonly allowedBy?: string;
}

/** Errors are at the end. */
const shownRows = { first: 2, last: 3 } as const;
const shownDiffRows = { first: 40, last: 0 } as const;

export function toolBlock(call: EndedCall, style: Style, { expandWith = "Ctrl-O" }: FoldOptions = {}): Component {
  return new Block((width) => {
    const mark = call.problem === undefined ? style.good("●") : style.bad("●");
    const took = call.ms === undefined || call.ms < 1_000 ? "" : `· ${(call.ms / 1_000).toFixed(1)} s`;
    const by = call.allowedBy === undefined ? "" : clippedLine(call.allowedBy, { maxCharacters: maxArguments });
    const isChange = call.diff !== undefined && call.problem === undefined;
    const said = isChange ? changeText(call) : callText(call);
    const text = by === "" ? said : `${said} ${style.muted(`(allowed by ${by})`)}`;
    const head = hanging(text, { first: "  ", rest: "    ", width });
    const lines = withBehind(head, { text: took, width, style }).map((line, index) =>
      index === 0 ? `${mark} ${line.slice(2)}` : line,
    );
    return [
      ...lines,
      ...(isChange
        ? diffRows(call.diff ?? "", { style, width, expandWith })
        : outputRows(call, { style, width, expandWith })),
    ];
  });
}

export function wholeToolBlock(call: EndedCall, style: Style): Component {
  return new Block((width) => {
    const mark = call.problem === undefined ? style.good("●") : style.bad("●");
    const name = clippedLine(call.name, { maxCharacters: 64 });
    const output = harmless((call.problem ?? call.output ?? "").trimEnd());
    return [
      `${mark} ${style.strong(name)}`,
      ...(call.input === undefined ? [] : argumentLines(call.input)).flatMap((line) =>
        hanging(harmless(line), { first: "    ", width }),
      ),
      ...(call.diff === undefined ? [] : numberedRows(call.diff, { style, width })),
      ...(output === "" ? [] : output.split("\n").flatMap((line) => wrapTextWithAnsi(line, width))),
    ];
  });
}

/** A single argument without its name. */
function argumentLines(input: string): readonly string[] {
  const parsed = objectIn(input);
  if (parsed === undefined) return input.split("\n");
  const entries = Object.entries(parsed);
  const [only] = entries;
  if (entries.length === 1 && only !== undefined) return valueText(only[1]).split("\n");
  return entries.flatMap(([name, value]) => {
    const [first = "", ...more] = valueText(value).split("\n");
    return more.length === 0 ? [`${name}: ${first}`] : [`${name}:`, ...[first, ...more].map((line) => `  ${line}`)];
  });
}

function withBehind(
  rows: readonly string[],
  { text, width, style }: RowOptions & { readonly text: string },
): readonly string[] {
  if (text === "") return rows;
  const last = rows.at(-1) ?? "";
  const fits = visibleWidth(`${last} ${text}`) <= width;
  return fits ? [...rows.slice(0, -1), `${last} ${style.muted(text)}`] : [...rows, `    ${style.muted(text)}`];
}

export function callText({ name, input }: Pick<EndedCall, "name" | "input">): string {
  const shownName = clippedLine(name, { maxCharacters: 64 });
  const said = input === undefined ? "" : argumentsText(input);
  return said === "" ? shownName : `${shownName} ${said}`;
}

/** Names only the file, since the diff shows the change. */
function changeText(call: EndedCall): string {
  const given = call.input === undefined ? undefined : objectIn(call.input);
  const path: unknown = given !== undefined && "path" in given ? given.path : undefined;
  if (typeof path !== "string") return callText(call);
  return `${clippedLine(call.name, { maxCharacters: 64 })} ${clippedLine(path, { maxCharacters: maxArguments })}`;
}

const maxArguments = 300;
const maxArgument = 80;

function argumentsText(input: string): string {
  const parsed = objectIn(input);
  if (parsed === undefined) return clippedLine(input, { maxCharacters: maxArguments });
  const entries = Object.entries(parsed);
  const [only] = entries;
  if (entries.length === 1 && only !== undefined)
    return clippedLine(valueText(only[1]), { maxCharacters: maxArguments });
  const texts = entries.map(
    ([name, value]) => `${name}=${clippedLine(valueText(value), { maxCharacters: maxArgument })}`,
  );
  return clippedLine(texts.join(" "), { maxCharacters: maxArguments });
}

function objectIn(json: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(json);
    return typeof parsed === "object" && parsed !== null ? parsed : undefined;
  } catch {
    return undefined; // Models may write invalid JSON.
  }
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export interface FoldOptions {
  readonly expandWith?: string | undefined;
}

interface RowOptions {
  readonly style: Style;
  readonly width: number;
}

function outputRows(
  { output, problem }: EndedCall,
  { style, width, expandWith }: RowOptions & FoldOptions,
): readonly string[] {
  const text = harmless((problem ?? output ?? "").trimEnd());
  if (text === "") return [];
  const rows = text.split("\n").flatMap((line) => hanging(line, { first: "    ", width }));
  const paint = problem === undefined ? style.muted : style.bad;
  return folded(
    rows.map((row) => paint(row)),
    { shown: shownRows, style, expandWith },
  );
}

function diffRows(diff: string, { style, width, expandWith }: RowOptions & FoldOptions): readonly string[] {
  return folded(numberedRows(diff, { style, width }), { shown: shownDiffRows, style, expandWith });
}

function folded(
  rows: readonly string[],
  {
    shown,
    style,
    expandWith,
  }: Pick<RowOptions, "style"> &
    FoldOptions & { readonly shown: { readonly first: number; readonly last: number } },
): readonly string[] {
  const left = rows.length - shown.first - shown.last;
  if (left <= 0) return rows;
  const what = left === 1 ? "row" : "rows";
  const fold = style.muted(`    … ${left} more ${what} (${expandWith} shows all)`);
  return [...rows.slice(0, shown.first), fold, ...rows.slice(rows.length - shown.last)];
}
