import type { Sitting } from "../../terminal/sitting.ts";
import { newRows, rowWith, text, type Finding, type Trial } from "../trial.ts";

const diff = /-\s*\d* *two\b[\s\S]*\+\s*\d* *four\b/;
const isQuestion = /allow|proceed|want to make|needs approval to run|would you like/i;

export async function tryTools(trial: Trial): Promise<readonly Finding[]> {
  const { program, world } = trial;
  const read = program.name === "claude-code" ? [{ id: "r", name: "Read", arguments: pathOf(world.work) }] : [];
  const opened =
    program.name === "opencode" ? [{ id: "r", name: "read", arguments: pathOf(world.work, "filePath") }] : read;
  const replies = [
    ...opened.map((call) => [call]),
    [{ id: "e", ...program.edit(world) }],
    [{ id: "s", ...program.shell("seq 1 300") }],
  ];
  let next = 0;
  trial.answer = () => {
    const calls = replies[next];
    next += 1;
    return calls === undefined ? text("All done, nine.") : { kind: "tool-calls", calls };
  };
  const sitting = await trial.open();
  await trial.say(sitting, "Change it now");

  let asked = "";
  for (let round = 0; round < 4 && !sitting.screen().includes("All done"); round += 1) {
    await trial.sees(sitting, /All done|allow|proceed|want to make|needs approval to run|would you like/i, 8_000);
    await trial.rest(1_500);
    if (!isQuestion.test(sitting.screen()) || sitting.screen().includes("All done")) continue;
    if (asked === "" && diff.test(sitting.screen())) asked = sitting.screen();
    sitting.type(program.yes);
    await trial.rest(2_500);
  }
  await trial.rest(2_500);
  const done = sitting.everything();
  const isMade = (await Bun.file(`${world.work}/tides.md`).text()).includes("four");
  const isShown = diff.test(done);
  const diffs: Finding = {
    row: "diffs",
    verdict: asked !== "" && isShown ? "yes" : asked !== "" || isShown ? "partly" : "no",
    saw: `in the question: ${asked !== ""} "${rowWith(asked, isQuestion)}"; after it was made (${isMade}): ${isShown}`,
  };

  const isFolded = !/^\W*150$/m.test(done);
  const fold = rowWith(done, /more|earlier|expand|\+\d+ lines|Ran \d|ctrl/i);
  const unfolded = await unfold(trial, sitting);
  return [
    diffs,
    {
      row: "folding",
      verdict: isFolded && unfolded !== "" ? "yes" : isFolded ? "partly" : "no",
      saw: `folded: ${isFolded} "${fold}"; shown whole: ${unfolded}`,
    },
    await undo(trial, sitting),
  ];
}

async function unfold(trial: Trial, sitting: Sitting): Promise<string> {
  const key = trial.program.unfold;
  if (key === undefined) {
    const row = sitting
      .screen()
      .split("\n")
      .findIndex((line) => line.includes("Click to expand"));
    if (row === -1) return "";
    sitting.type(`\u001B[<0;8;${row + 1}M\u001B[<0;8;${row + 1}m`);
    await trial.rest();
    return sitting.screen().includes("Click to collapse") || !sitting.screen().includes("Click to expand")
      ? "with a click"
      : "";
  }
  sitting.type(key);
  await trial.rest(2_000);
  const isWhole = /^\W*29[0-9]$/m.test(sitting.screen());
  sitting.type(trial.program.name === "Incipit" ? "" : key);
  await trial.rest();
  return isWhole ? "with a key" : "";
}

async function undo(trial: Trial, sitting: Sitting): Promise<Finding> {
  const { program, world } = trial;
  const before = sitting.screen();
  for (const key of program.undo) {
    sitting.type(key);
    await trial.rest(1_500);
  }
  const shown = newRows(before, sitting.screen());
  const areBack = !(await Bun.file(`${world.work}/tides.md`).text()).includes("four");
  await trial.clear(sitting);
  await trial.say(sitting, "After that");
  await trial.isSent((body) => body.includes("After that"));
  const last = trial.sent().findLast((body) => body.includes("After that"));
  const isGone = last !== undefined && !last.includes("Change it now");
  return {
    row: "undo",
    verdict: isGone ? (areBack ? "yes" : "partly") : "no",
    saw: `the turn is gone: ${isGone}; files are back: ${areBack}; "${shown}"`,
  };
}

function pathOf(work: string, field = "file_path"): string {
  return JSON.stringify({ [field]: `${work}/tides.md` });
}
