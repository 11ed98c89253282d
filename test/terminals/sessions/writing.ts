import { keys } from "../../terminal/sitting.ts";
import { rowWith, type Finding, type Trial } from "../trial.ts";

export async function tryWriting(trial: Trial): Promise<readonly Finding[]> {
  const sitting = await trial.open();

  sitting.type(keys.pasted("first line\nsecond line\nthird line"));
  await trial.rest(2_000);
  const isHeld = trial.sent().length === 0;
  const few = sitting.screen();
  sitting.type(keys.enter);
  const isWhole = await trial.isSent((body) => body.includes(String.raw`first line\nsecond line\nthird line`));
  await trial.rest(2_500);
  sitting.type(keys.pasted(Array.from({ length: 60 }, (_, row) => `row ${row}`).join("\n")));
  await trial.rest();
  const folded = rowWith(sitting.screen(), /\[past/i);
  sitting.type(keys.ctrl("c"));
  await trial.rest();
  const fewRow = rowWith(few, /\[past|first line/i);
  const paste: Finding = {
    row: "paste",
    verdict: isHeld && isWhole ? "yes" : "no",
    saw: `3 lines: "${fewRow}", sent by the paste: ${!isHeld}; as one message: ${isWhole}; 60 lines: "${folded}"`,
  };

  sitting.type("/mod");
  const isOffered = await trial.sees(sitting, /^(?!.*[›>❯] ?\/mod$).*\bmodels?\b {2}/m);
  const offered = rowWith(sitting.screen(), /\bmodels?\b {2}/);
  await trial.clear(sitting);
  const commands: Finding = { row: "commands", verdict: isOffered ? "yes" : "no", saw: offered };

  sitting.type("@par");
  const isFound = await trial.sees(sitting, /parser\.ts/);
  sitting.type(keys.tab);
  await trial.rest(1_000);
  const taken = rowWith(sitting.screen(), /parser\.ts/);
  await trial.say(sitting, " is what?");
  await trial.isSent((body) => body.includes("is what?"));
  const isRead = trial.sent().some((body) => body.includes("tideLimit"));
  await trial.rest(2_500);
  const files: Finding = {
    row: "files",
    verdict: isFound ? "yes" : "no",
    saw: `found: ${isFound}, "${taken}"; its text was sent with it: ${isRead}`,
  };

  sitting.type(keys.up);
  const isThere = await trial.sees(sitting, /(?:parser\.ts|@par) +is what\?[\s\S]*(?:parser\.ts|@par) +is what\?/);
  await sitting[Symbol.asyncDispose]();
  const again = await trial.open();
  again.type(keys.up);
  const isKept = await trial.sees(again, /is what\?/);
  again.type(keys.ctrl("r"));
  await trial.rest();
  const search = rowWith(again.screen(), /search|history|find/i);
  const history: Finding = {
    row: "history",
    verdict: isThere && isKept ? "yes" : isThere || isKept ? "partly" : "no",
    saw: `with Up: ${isThere}; in another run: ${isKept}; Ctrl-R: "${search}"`,
  };
  return [history, paste, commands, files];
}
