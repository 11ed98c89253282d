import { newRows, text, type Finding, type Trial } from "../trial.ts";

export async function tryWorking(trial: Trial): Promise<readonly Finding[]> {
  const { program, world } = trial;
  const sitting = await trial.open();
  await trial.say(sitting, "Hello there");
  await trial.isSent(() => true);
  await trial.rest(3_000);

  trial.answer = () => ({ kind: "never" });
  const before = sitting.screen();
  await trial.say(sitting, "Wait for it");
  await trial.isSent((body) => body.includes("Wait for it"));
  await trial.rest(3_000);
  const model = newRows(before, sitting.screen()).replace(/^.*?Wait for it( ⏎ )?/, "");

  const count = trial.sent().length;
  sitting.type("Second message");
  await trial.rest(700);
  sitting.type(program.queue);
  await trial.rest(2_000);
  const isSeen = sitting.screen().includes("Second message");
  const isWaiting = trial.sent().length === count;
  const waiting = newRows(before, sitting.screen()).replace(/^.*?(?=Second message)/, "");
  sitting.type(program.takeBack);
  await trial.rest(1_500);
  sitting.type("XYZ");
  const isBack = await trial.sees(sitting, /Second messageXYZ/, 3_000);
  await trial.clear(sitting);

  for (const key of program.interrupt) {
    sitting.type(key);
    await trial.rest(700);
  }
  const isCut = (): boolean => world.model.requests.some(({ isAborted }) => isAborted);
  for (let round = 0; round < 8 && !isCut(); round += 1) await trial.rest(1_000);
  await trial.rest();
  const isStopped = isCut();
  const stopped = newRows(before, sitting.screen());
  await sitting[Symbol.asyncDispose]();

  const tool = await whileToolRuns(trial);
  const names = /wait|thinking|responding/i.test(model);
  return [
    {
      row: "spinner",
      verdict: names ? "yes" : "partly",
      saw: `waiting for the model: "${model}"; while a command runs: "${tool}"`,
    },
    {
      row: "queue",
      verdict: isSeen && isBack ? "yes" : isSeen ? "partly" : "no",
      saw: `seen: ${isSeen}, waits: ${isWaiting}, taken back into the editor: ${isBack}; "${waiting}"`,
    },
    {
      row: "interrupt",
      verdict: isStopped ? "yes" : "no",
      saw: `${program.interrupt.length} × Esc, the request was cut: ${isStopped}; "${stopped}"`,
    },
  ];
}

async function whileToolRuns(trial: Trial): Promise<string> {
  const { program } = trial;
  const sitting = await trial.open();
  const before = sitting.screen();
  let calls = 0;
  trial.answer = () => {
    calls += 1;
    return calls === 1
      ? { kind: "tool-calls", calls: [{ id: "slow", ...program.shell("sleep 20") }] }
      : text("Slept, nine.");
  };
  await trial.say(sitting, "Sleep a little");
  await trial.rest(5_000);
  if (/allow|yes/i.test(sitting.screen())) sitting.type(program.yes);
  await trial.rest(4_000);
  const shown = newRows(before, sitting.screen());
  await sitting[Symbol.asyncDispose]();
  return shown;
}
