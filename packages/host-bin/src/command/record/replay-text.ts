import type { Answer, Replay } from "@incipit/schema";
import { escapeHiddenLine } from "@incipit/schema/text";
import { partsText } from "./record-text.ts";

export function replayText({ original, replay, notes }: Replay): string {
  const answers: readonly Answer[] = replay === null ? [original] : [original, replay];
  const figures: readonly (readonly [string, (answer: Answer) => string])[] = [
    ["", (answer) => titleOf(answer, original)],
    ["time", ({ durationMs }) => (durationMs === null ? "-" : `${(durationMs / 1_000).toFixed(2)} s`)],
    ["tokens in", ({ usage }) => String(usage?.inputTokens ?? "not reported")],
    ["tokens out", ({ usage }) => String(usage?.outputTokens ?? "not reported")],
    [
      "cost",
      ({ costUsd, isCostAtMost = false }) =>
        costUsd === null ? "not known" : `${isCostAtMost ? "≤ " : ""}$${costUsd.toFixed(6)}`,
    ],
    ["ended", ({ error, finishReason }) => error?.code ?? finishReason ?? "-"],
  ];
  const cells = figures.map(([name, of]) => [name, ...answers.map(of)]);
  const widths = [0, 1].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const table = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const said = answers.map(
    (answer) =>
      `\n--- ${titleOf(answer, original)}\n${answer.error === null ? "" : `(${escapeHiddenLine(answer.error.message)})\n`}${partsText(answer.parts)}\n`,
  );
  return `${table.join("\n")}\n${said.join("")}${notes.map((note) => `\n(${escapeHiddenLine(note)})\n`).join("")}`;
}

/** Both may come from the same model. */
function titleOf(answer: Answer, original: Answer): string {
  return answer === original ? `${answer.model} (then)` : `${answer.model} (now)`;
}
