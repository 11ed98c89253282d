import { routes, type Model } from "@incipit/transport-contract";
import type { Call } from "../registry/command.ts";
import { isTooNarrowFor } from "../output/row-lines.ts";

export async function models({ words, args, output, host }: Call<string[]>): Promise<void> {
  const { client, offered, isUnconfigured } = await host.connect();
  const { outLine, errLine } = output;
  const { models: all } = await client.call(routes.listModels);
  const listed = all.filter(({ id }) => words.every((word) => id.includes(word)));
  if (args.isJson) {
    for (const model of listed) outLine(JSON.stringify(model));
    return;
  }
  const isBare = isUnconfigured && offered.length === 0;
  if (listed.length === 0 && all.length > 0) {
    errLine(`No model of ${all.length} has ${words.map((word) => `"${word}"`).join(" and ")} in its name`);
    if (isBare) errLine(withoutKeys);
    return;
  }
  const rows = table(listed);
  const isNarrow = isTooNarrowFor(rows, output);
  for (const row of isNarrow ? listed.map(namedCells) : rows) output.outRow(row, isNarrow ? markWidth : undefined);
  for (const line of remarks(listed)) errLine(line);
  if (isBare) errLine(withoutKeys);
  for (const { vendor, variable } of offered) {
    const { name, title } = vendor;
    if (all.some(({ provider }) => provider === name)) continue;
    errLine(`- ${name}: ${variable} is set: name any model of ${title}'s, as ${name}/MODEL`);
  }
}

const withoutKeys =
  '- A vendor\'s models are listed once its key is set; "incipit setup" shows the vendors and their variables';

const header = ["", "model", "window", "reply", "in", "out", "cache read", "cache write", "takes"] as const;
const rightFrom = 2;
const rightTo = 7;

function table(listed: readonly Model[]): readonly string[] {
  const rows: (readonly string[])[] = [header, ...listed.map(cellsOf)];
  const widths = header.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows.map((cells) =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column >= rightFrom && column <= rightTo ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd(),
  );
}

const markWidth = 3;

function namedCells(model: Model): string {
  const [mark = "", ...cells] = cellsOf(model);
  const named = cells.map((cell, index) => (index === 0 ? cell : `${header[index + 1] ?? ""} ${cell}`));
  return `${mark.padEnd(markWidth)}${named.join("  ")}`;
}

/** Returns the table cells of a model. `*` marks the default model, `-` one that is not ready to use. */
function cellsOf({ id, isDefault, isReady, facts }: Model): readonly string[] {
  const mark = `${isDefault ? "*" : ""}${isReady ? "" : "-"}`;
  const { prices } = facts ?? {};
  return [
    mark,
    id,
    number(facts?.contextWindow),
    number(facts?.maxOutputTokens),
    number(prices?.input),
    number(prices?.output),
    number(prices?.cacheRead),
    number(prices?.cacheWrite),
    facts?.inputs.join(", ") ?? "?",
  ];
}

function number(value: number | null | undefined): string {
  return value === null || value === undefined ? "?" : value.toLocaleString("en-US", { maximumFractionDigits: 4 });
}

function remarks(listed: readonly Model[]): readonly string[] {
  const missing = new Set(
    listed.flatMap(({ provider, problem }) => (problem === null ? [] : [`${provider}: ${problem}`])),
  );
  const sources = [...new Set(listed.flatMap(({ facts }) => facts?.source ?? []))].toSorted();
  const isLong = listed.some(({ facts }) => facts?.prices?.longInput !== undefined);
  return [
    `(* is the default. Window and reply in tokens, prices in US dollars for a million tokens; ? is not known${sources.length === 0 ? "" : `. From: ${sources.join("; ")}`})`,
    ...(isLong ? ["(Some cost more for a long input: --json has it)"] : []),
    ...[...missing].map((line) => `- ${line}`),
  ];
}
