import { join } from "node:path";
import * as z from "zod";
import { keys, type Sitting } from "../../terminal/sitting.ts";
import { newRows, rowWith, text, title, toldSentence, type Finding, type Trial } from "../trial.ts";

const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const answer =
  "# Tides\n\nThe **tide** is at `nine`.\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```ts\nconst x: number = 1; // one\n```\n";
const cost = /\$0\.\d\d/;
const tokens = /12[.,]?[05]?0*k?\b.*(?:tok|used|\()|12,000|[↑↓]|4\.5K total|4\.0k input/i;
const share = /\d+(?:\.\d+)? ?% ?(?:full|\/|used|left|context|\)|·)|\(\d+%\)|\/100k|tokens \(\d+%\)/i;

export async function tryLooking(trial: Trial): Promise<readonly Finding[]> {
  const promised = await whatIsTold(trial);
  const sitting = await trial.open();
  trial.answer = () => text(answer);
  await trial.say(sitting, title);
  await trial.sees(sitting, "nine");
  await trial.rest(3_000);
  const told = exactness(promised, trial);
  const screen = sitting.screen();
  const isMarked = !screen.includes("**tide**") && /tide is at nine/.test(screen);
  const isColoured = new RegExp(`${keys.escape}\\[[\\d;:]*m *const ?${keys.escape}\\[`).test(sitting.bytes);

  const commands: string[] = [];
  for (const command of trial.program.numbers) {
    const before = sitting.screen();
    await trial.say(sitting, command);
    await trial.rest(3_000);
    commands.push(newRows(before, sitting.screen()));
    sitting.type(keys.escape);
    await trial.rest(1_000);
  }
  const whole = commands.join(" ⏎ ");
  const shown = (row: string, wanted: RegExp): Finding => {
    const line = rowWith(screen, wanted);
    const found = whole.split(" ⏎ ").find((part) => wanted.test(part)) ?? "";
    return {
      row,
      verdict: line !== "" ? "yes" : found !== "" ? "partly" : "no",
      saw: `screen: "${line}"; command: "${found}"`,
    };
  };
  const numbers = [shown("tokens", tokens), shown("cost", cost), shown("window", share)];
  const cache = await brokenCache(trial, sitting, `${screen}\n${whole}`);
  const images = await tryPicture(trial, sitting);
  await sitting[Symbol.asyncDispose]();
  return [
    { row: "markdown", verdict: isMarked ? "yes" : "no", saw: rowWith(screen, /tide is/) },
    { row: "code", verdict: isColoured ? "yes" : "no", saw: rowWith(screen, /const x/) },
    ...numbers,
    told,
    cache,
    await tryPickers(trial),
    images,
  ];
}

async function whatIsTold(trial: Trial): Promise<string> {
  const sitting = await trial.open();
  const texts: string[] = [];
  for (const way of trial.program.told) {
    if (!way.startsWith("/")) {
      texts.push((await trial.run(way.split(" "))).replaceAll(String.raw`\n`, "\n"));
      continue;
    }
    await trial.say(sitting, way);
    await trial.rest(3_000);
    texts.push(sitting.everything());
    sitting.type(keys.escape);
    await trial.rest(1_000);
  }
  await sitting[Symbol.asyncDispose]();
  return texts.join("\n");
}

function exactness(promised: string, trial: Trial): Finding {
  const lines = instructionsOf(trial.sent()[0] ?? "{}")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.length > 5);
  const shown = lines.filter((line) => promised.includes(line.slice(0, 60)));
  const hasOwn = promised.includes(toldSentence);
  return {
    row: "told",
    verdict: shown.length === lines.length ? "yes" : shown.length > 0 && hasOwn ? "partly" : "no",
    saw: `${trial.program.told.join(", ")}: of ${lines.length} lines of instructions in the first request ${shown.length} were shown before it, the project's own among them: ${hasOwn}`,
  };
}

const partSchema = z.looseObject({ text: z.string().optional() });
const contentSchema = z.union([z.string(), z.array(partSchema)]);
const requestSchema = z.looseObject({
  instructions: z.string().optional(),
  system: contentSchema.optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: contentSchema.nullish() })).optional(),
  input: z.array(z.looseObject({ role: z.string().optional(), content: contentSchema.nullish() })).optional(),
});

function instructionsOf(body: string): string {
  const { instructions = "", system = "", messages = [], input = [] } = requestSchema.parse(JSON.parse(body));
  const told = [...messages, ...input].filter(({ role }) => role === "system" || role === "developer");
  return [instructions, textOf(system), ...told.map(({ content }) => textOf(content ?? ""))].join("\n");
}

function textOf(content: z.infer<typeof contentSchema>): string {
  return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("\n");
}

async function brokenCache(trial: Trial, sitting: Sitting, before: string): Promise<Finding> {
  const hasShare = /67 ?%|66\.7 ?%|cached|cache read|CH\d/i.test(before);
  trial.answer = () => text("Cold, nine.", { isCold: true });
  await trial.say(sitting, "And again");
  await trial.sees(sitting, "Cold");
  await trial.rest(2_000);
  let after = sitting.screen();
  for (const command of trial.program.numbers) {
    await trial.say(sitting, command);
    await trial.rest(2_500);
    after += `\n${sitting.screen()}`;
    sitting.type(keys.escape);
    await trial.rest(1_000);
  }
  const rows = after.split("\n").filter((row) => /cache|miss|held|broke|prefix/i.test(row));
  const why = rows.find((row) => /likely cause|had let go|because|at byte/i.test(row));
  return {
    row: "cache",
    verdict: hasShare && why !== undefined ? "yes" : hasShare ? "partly" : "no",
    saw: `share: ${hasShare}; after a request that nothing was cached of: "${[...new Set(rows.map((row) => row.trim()))].join(" ⏎ ")}"`,
  };
}

async function tryPickers(trial: Trial): Promise<Finding> {
  const { models, conversations } = trial.program;
  const look = async (command: string, typed: string): Promise<string> => {
    const sitting = await trial.open();
    const before = sitting.screen();
    await trial.say(sitting, command);
    await trial.rest(2_500);
    sitting.type(typed);
    await trial.rest(2_000);
    const shown = newRows(before, sitting.screen());
    await sitting[Symbol.asyncDispose]();
    return shown;
  };
  const ofModels = await look(models, "otr");
  const byWord = await look(conversations, "tides");
  const byLetters = await look(conversations, "tll tds");
  const isFuzzy = /\bother\b(?!\/)/.test(ofModels) && byLetters.includes(title);
  return {
    row: "pickers",
    verdict: isFuzzy ? "yes" : ofModels !== "" && byWord.includes(title) ? "partly" : "no",
    saw: `conversations, "tides" typed: ${byWord.includes(title)}, "tll tds" typed: ${byLetters.includes(title)} "${byLetters.slice(0, 150)}"; models, "otr" typed: "${ofModels.slice(0, 200)}"`,
  };
}

async function tryPicture(trial: Trial, sitting: Sitting): Promise<Finding> {
  const path = join(trial.world.work, "red.png");
  await Bun.write(path, Buffer.from(picture, "base64"));
  sitting.type(keys.pasted(path));
  await trial.rest(2_500);
  const shown = rowWith(sitting.screen(), /image|red\.png/i);
  await trial.say(sitting, " What is it?");
  const isSent = await trial.isSent((body) => /"image_url"|"input_image"|"type":"image"/.test(body));
  const isArgument = !isSent && (await isPictureOfArgument(trial));
  return {
    row: "images",
    verdict: isSent ? "yes" : isArgument ? "partly" : "no",
    saw: `a file dropped: "${shown}"; sent: ${isSent}${isArgument ? "; as an argument @red.png: sent" : ""}`,
  };
}

async function isPictureOfArgument(trial: Trial): Promise<boolean> {
  const sitting = await trial.open({ args: ["@red.png", "What is it?"] });
  await trial.sees(sitting, "nine");
  return trial.sent().some((body) => /"image_url"|"input_image"|"type":"image"/.test(body));
}
