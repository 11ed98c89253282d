import { type RouteAnswer, routes } from "@incipit/transport-contract";
import { UsageError } from "../registry/usage-error.ts";
import { lastConversation } from "../arguments/named-conversation.ts";
import { workingFolder } from "../arguments/working-folder.ts";
import type { OptionName } from "../registry/options.ts";
import type { Call } from "../registry/command.ts";
import { exportFolder } from "./export-folder.ts";
import { findStep, type StepPlace } from "./find-step.ts";
import { partsText, recordLead, recordText } from "./record-text.ts";
import type { Answer, Replay } from "@incipit/schema";
import { escapeHiddenLine } from "@incipit/schema/text";

type RecordCall<Words extends readonly (string | undefined)[] = [], Name extends OptionName = never> = Call<
  [id: string, ...Words],
  "isContinued" | "cwdOfLast" | "step" | Name
>;

export async function showRecord(call: RecordCall): Promise<void> {
  const { args, output } = call;
  const found = await storedRecord(call, await stepOf(call));
  if (args.isJson) {
    output.outLine(JSON.stringify(found));
    return;
  }
  const width = output.isScreen ? output.width : Infinity;
  for (const row of recordText(found, { width }).trimEnd().split("\n")) output.outRow(row, recordLead);
  for (const text of found.systemTexts ?? []) output.out(`\n--- system\n${text}\n`);
  for (const { role, parts } of found.messages ?? []) output.out(`\n--- ${role}\n${partsText(parts)}\n`);
  if (found.reply !== null) output.out(`\n--- reply\n${partsText(found.reply.parts)}\n`);
}

export async function exportRecord(call: RecordCall<[folder: string]>): Promise<void> {
  const params = await stepOf(call);
  const path = await exportFolder(await storedRecord(call, params), call.words[1]);
  call.output.outLine(
    call.args.isJson ? JSON.stringify({ path, ...params }) : `Wrote step ${params.stepId} to ${path}`,
  );
}

export async function replayRecord(call: RecordCall<[], "model">): Promise<number> {
  const { args, output, host } = call;
  const { model } = args;
  if (model === undefined)
    throw new UsageError('"record replay" needs a model; write: incipit record replay ID --model PROVIDER/MODEL');
  const params = await stepOf(call);
  const { replay } = await (await host.client()).call(routes.replayStep, { params, body: { model } });
  if (args.isJson) output.outLine(JSON.stringify(replay));
  else output.out(replayText(replay));
  return replay.replay?.error === null ? 0 : 1;
}

async function storedRecord(
  { host }: Pick<RecordCall, "host">,
  params: StepPlace,
): Promise<RouteAnswer<typeof routes.getStepRecord>> {
  return (await host.client()).call(routes.getStepRecord, { params });
}

async function stepOf({
  words: [named],
  args: { isContinued, cwdOfLast, step },
  host,
}: RecordCall<(string | undefined)[]>): Promise<StepPlace> {
  if (step !== undefined && !/^(last|[1-9]\d*)$/.test(step))
    throw new UsageError(`"--step" is the number of a model call, or "last", not "${step}"`);
  const client = await host.client();
  const id = isContinued ? await lastConversation(client, workingFolder({ cwd: cwdOfLast })) : named;
  return findStep(client, id, step);
}

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
