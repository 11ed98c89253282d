import { keys } from "../../terminal/sitting.ts";
import { newRows, rowWith, text, Trial, type Finding } from "../trial.ts";

const escape = keys.escape;
const colour = new RegExp(`${escape}\\[(?:[\\d;:]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:[;:][\\d;:]*)?m`, "g");
const askedForBackground = `${escape}]11;?`;

export async function trySurroundings(trial: Trial): Promise<readonly Finding[]> {
  return [await tryThemes(trial), await trySuspend(trial), await tryPipe(trial), await tryScreenReader(trial)];
}

/** Some programs store what they detect at the first start. */
async function tryThemes({ program }: Trial): Promise<Finding> {
  const coloursOf = async (
    env: Readonly<Record<string, string>>,
    background?: "dark" | "light",
  ): Promise<readonly string[]> => {
    const stack = new AsyncDisposableStack();
    await using _ = stack;
    const trial = stack.use(await Trial.begin(program));
    trial.answer = () => text("# Fine, nine.\n\n```ts\nconst x = 1;\n```\n");
    const sitting = trial.sit({ env, ...(background === undefined ? {} : { background }) });
    await trial.sees(sitting, trial.program.isReady, 20_000);
    await trial.rest(3_000);
    await trial.say(sitting, "Hello there");
    await trial.sees(sitting, "nine");
    await trial.rest(2_000);
    await sitting[Symbol.asyncDispose]();
    const asked = sitting.bytes.includes(askedForBackground) ? ["asked"] : [];
    return [...asked, ...new Set(sitting.bytes.match(colour))];
  };
  const truecolor = { COLORTERM: "truecolor" };
  const dark = await coloursOf(truecolor, "dark");
  const light = await coloursOf(truecolor, "light");
  const none = (await coloursOf({ NO_COLOR: "1" })).filter((entry) => entry !== "asked");
  const isFound = dark.includes("asked") && light.some((entry) => !dark.includes(entry));
  const isNone = none.length === 0;
  return {
    row: "themes",
    verdict: isFound && isNone ? "yes" : isFound || isNone ? "partly" : "no",
    saw: `asks for the background: ${dark.includes("asked")}, other colours on a light one: ${isFound}; NO_COLOR leaves ${none.length} colours`,
  };
}

async function trySuspend(trial: Trial): Promise<Finding> {
  const { command, args = [] } = trial.started;
  const shell = ["bash", "--norc", "--noprofile", "-i"];
  const sitting = trial.sit({ command: shell, env: { PS1: "SHELL> " } });
  await trial.sees(sitting, "SHELL>");
  await trial.say(sitting, [...command, ...args].map((word) => `'${word}'`).join(" "));
  await trial.rest(6_000);
  sitting.type("half a word");
  await trial.rest(700);
  sitting.type(keys.ctrl("z"));
  const isStopped = await trial.sees(sitting, /Stopped/);
  await trial.say(sitting, "echo in the $((40 + 2))");
  const hasShell = await trial.sees(sitting, "in the 42");
  await trial.say(sitting, "fg");
  await trial.rest(3_000);
  sitting.type("XYZ");
  const isBack = await trial.sees(sitting, /half a wordXYZ/);
  const seen = rowWith(sitting.screen(), /half a word/);
  return {
    row: "suspend",
    verdict: isStopped && hasShell && isBack ? "yes" : isStopped ? "partly" : "no",
    saw: `Ctrl-Z stops it: ${isStopped}; the shell works: ${hasShell}; after fg it is there with what was written: ${isBack} "${seen}"`,
  };
}

async function tryPipe(trial: Trial): Promise<Finding> {
  trial.answer = () => text("Piped, nine.");
  const out = await trial.run(trial.program.once, "-one\n+two\n");
  const isSent = trial.sent().some((body) => body.includes(String.raw`-one\n+two`) && body.includes("Review this"));
  const isAnswer = out.trim() === "Piped, nine.";
  return {
    row: "pipes",
    verdict: isSent && isAnswer ? "yes" : isSent ? "partly" : "no",
    saw: `${trial.program.once.join(" ")}: sent: ${isSent}; standard output: ${JSON.stringify(out.slice(0, 200))}`,
  };
}

async function tryScreenReader(trial: Trial): Promise<Finding> {
  const { screenReader } = trial.program;
  if (screenReader === undefined) return { row: "reader", verdict: "no", saw: "its help names no such mode" };
  const sitting = await trial.open({
    args: screenReader === "--screen-reader" ? ["chat", screenReader] : [screenReader],
  });
  await trial.say(sitting, "Hello there");
  const isAnswered = await trial.sees(sitting, "nine");
  await trial.rest(1_500);
  const isPlain = !/[─│╭▐⠋⠙]/.test(sitting.screen());
  return {
    row: "reader",
    verdict: isAnswered && isPlain ? "yes" : "no",
    saw: `${screenReader}: answers: ${isAnswered}, without drawings: ${isPlain}; "${newRows("", sitting.screen())}"`,
  };
}
