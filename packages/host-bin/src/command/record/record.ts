import { routes, type Client } from "@incipit/transport-contract";
import { suggestion } from "@incipit/common/suggestion";
import { UsageError, type Arguments } from "../arguments/arguments.ts";
import { lastConversation } from "../arguments/named-conversation.ts";
import { workingFolder } from "../arguments/working-folder.ts";
import type { Output } from "../output/output.ts";
import { exportFolder } from "./export-folder.ts";
import { findStep } from "./find-step.ts";
import { partsText, recordLead, recordText } from "./record-text.ts";
import { replayText } from "./replay-text.ts";

const actions = { show: ["ID"], export: ["ID", "DIR"], replay: ["ID"] } as const satisfies Record<
  string,
  readonly string[]
>;
type Action = keyof typeof actions;

export async function record(client: Client, args: Arguments, output: Output): Promise<number> {
  const { action, id: given, folder, model } = understood(args);
  const id = args.isContinued ? await lastConversation(client, workingFolder(args)) : given;
  const params = await findStep(client, id, args.step);
  const show = (text: string): void => output.out(text);
  if (action === "replay") {
    const { replay } = await client.call(routes.replayStep, { params, body: { model } });
    if (args.isJson) output.outLine(JSON.stringify(replay));
    else show(replayText(replay));
    return replay.replay?.error === null ? 0 : 1;
  }
  const found = await client.call(routes.getStepRecord, { params });
  if (action === "export") {
    const path = await exportFolder(found, folder);
    output.outLine(args.isJson ? JSON.stringify({ path, ...params }) : `Wrote step ${params.stepId} to ${path}`);
    return 0;
  }
  if (args.isJson) {
    output.outLine(JSON.stringify(found));
    return 0;
  }
  const width = output.isScreen ? output.width : Infinity;
  for (const row of recordText(found, { width }).trimEnd().split("\n")) output.outRow(row, recordLead);
  for (const text of found.systemTexts ?? []) show(`\n--- system\n${text}\n`);
  for (const { role, parts } of found.messages ?? []) show(`\n--- ${role}\n${partsText(parts)}\n`);
  if (found.reply !== null) show(`\n--- reply\n${partsText(found.reply.parts)}\n`);
  return 0;
}

function understood({ words: written, isContinued, model = "", step }: Arguments): {
  readonly action: Action;
  readonly id: string;
  readonly folder: string;
  readonly model: string;
} {
  const words = isContinued ? [...written.slice(0, 1), "", ...written.slice(1)] : written;
  const [word = "", id = "", folder = ""] = words;
  if (!isAction(word)) {
    const what = word === "" ? '"record" needs to know what to do' : `There is no "record ${word}"`;
    throw new UsageError(`${what}${suggestion(word, Object.keys(actions))}`);
  }
  const takes: readonly string[] = actions[word];
  const usage = `write: incipit record ${[word, ...takes].join(" ")}${word === "replay" ? " --model PROVIDER/MODEL" : ""}`;
  const missing = takes[Math.max(0, words.length - 1)];
  if (missing !== undefined) throw new UsageError(`"record ${word}" needs ${missing}; ${usage}`);
  const stray = words[takes.length + 1];
  if (stray !== undefined) throw new UsageError(`"record ${word}" takes no "${stray}"; ${usage}`);
  if (word === "replay" && model === "") throw new UsageError(`"record replay" needs a model; ${usage}`);
  if (word !== "replay" && model !== "") throw new UsageError(`"--model" means nothing to "record ${word}"`);
  if (step !== undefined && !/^(last|[1-9]\d*)$/.test(step))
    throw new UsageError(`"--step" is the number of a model call, or "last", not "${step}"`);
  return { action: word, id, folder, model };
}

function isAction(word: string): word is Action {
  return Object.hasOwn(actions, word);
}
