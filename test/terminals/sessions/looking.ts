import { join } from "node:path";
import { keys, type Sitting } from "../../terminal/sitting.ts";
import { newRows, rowWith, text, toldSentence, type Finding, type Trial } from "../trial.ts";

const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const answer = "# Tides\n\nThe **tide** is at `nine`.\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```ts\nconst x: number = 1; // one\n```\n";
const cost = /\$0\.\d\d/;
const tokens = /12[.,]?[05]?0*k?\b.*(?:tok|used|\()|12,000|[↑↓]|4\.5K total/i;
const share = /\d+(?:\.\d+)? ?% ?(?:full|\/|used|left|context|\)|·)|\(\d+%\)|\/100k|tokens \(\d+%\)/i;

/** What is shown of an answer, of what it cost, and of what the model is told. */
export async function tryLooking(trial: Trial): Promise<readonly Finding[]> {
  const sitting = await trial.open();
  const told = await whatIsTold(trial, sitting);
  trial.answer = () => text(answer);
  await trial.say(sitting, "Tell me of tides");
  await trial.sees(sitting, "nine");
  await trial.rest(3_000);
  const screen = sitting.screen();
  const isMarked = !screen.includes("**tide**") && /tide is at nine/.test(screen);
  const isColoured = /\u001B\[[\d;:]*m *const\u001B\[|m\bconst\b ?\u001B/.test(sitting.bytes);

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
    return { row, verdict: line !== "" ? "yes" : found !== "" ? "partly" : "no", saw: `screen: "${line}"; command: "${found}"` };
  };
  const numbers = [shown("tokens", tokens), shown("cost", cost), shown("window", share)];
  const cache = await brokenCache(trial, sitting, `${screen}\n${whole}`);
  const pickers = await tryPickers(trial, sitting);
  return [
    { row: "markdown", verdict: isMarked ? "yes" : "no", saw: rowWith(screen, /tide is/) },
    { row: "code", verdict: isColoured ? "yes" : "no", saw: rowWith(screen, /const x/) },
    ...numbers,
    told,
    cache,
    pickers,
    await tryPicture(trial, sitting),
  ];
}

/** Whether somebody can read what the model will be told before the first request, as it is sent then. */
async function whatIsTold(trial: Trial, sitting: Sitting): Promise<Finding> {
  const texts: string[] = [];
  for (const way of trial.program.told) {
    if (!way.startsWith("/")) {
      texts.push(await trial.run(way.split(" ")));
      continue;
    }
    const before = sitting.everything();
    await trial.say(sitting, way);
    await trial.rest(3_000);
    texts.push(newRows(before, sitting.everything()));
    sitting.type(keys.escape);
    await trial.rest(1_000);
  }
  await trial.clear(sitting);
  const all = texts.join("\n");
  const isEarly = trial.sent().length === 0;
  const hasOwn = all.includes(toldSentence) || /You are a helpful/.test(all);
  return {
    row: "told",
    verdict: isEarly && hasOwn ? "yes" : "no",
    saw: `${trial.program.told.join(", ")}, before a request: ${isEarly}, has its text: ${hasOwn}; "${all.slice(0, 300)}"`,
  };
}

/** A request whose prefix the vendor has not kept. */
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
  const why = rows.find((row) => /miss|broke|byte|because|was not in|no longer/i.test(row) && !/no misses/i.test(row));
  return {
    row: "cache",
    verdict: hasShare && why !== undefined ? "yes" : hasShare ? "partly" : "no",
    saw: `share: ${hasShare}; after a request that nothing was cached of: "${[...new Set(rows.map((row) => row.trim()))].join(" ⏎ ")}"`,
  };
}

async function tryPickers(trial: Trial, sitting: Sitting): Promise<Finding> {
  const { models, conversations } = trial.program;
  const look = async (command: string, typed: string): Promise<string> => {
    const before = sitting.screen();
    await trial.say(sitting, command);
    await trial.rest(2_500);
    sitting.type(typed);
    await trial.rest(1_500);
    const shown = newRows(before, sitting.screen());
    sitting.type(keys.escape);
    await trial.rest(700);
    sitting.type(keys.escape);
    await trial.rest(1_000);
    await trial.clear(sitting);
    return shown;
  };
  const ofModels = await look(models, "otr");
  const ofConversations = await look(conversations, "tll tds");
  const hasModels = /\bother\b/.test(ofModels);
  const hasConversations = /tell me of tides/i.test(ofConversations);
  return {
    row: "pickers",
    verdict: hasModels && hasConversations ? "yes" : ofModels !== "" || ofConversations !== "" ? "partly" : "no",
    saw: `models, "otr" typed: "${ofModels}"; conversations, "tll tds" typed: "${ofConversations}"`,
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
  return { row: "images", verdict: isSent ? "yes" : "no", saw: `a file dropped: "${shown}"; sent: ${isSent}` };
}
