import type { AskOption } from "../registry/ask-options.ts";
import type { Call } from "../registry/command.ts";
import { AnswerFile } from "./answer-file.ts";
import { answerSchema } from "./answer-schema.ts";
import { ask, openConversation } from "./ask.ts";
import { askAtTerminal } from "../questions/ask-at-terminal.ts";
import { mentionedResources } from "./mentioned-resources.ts";
import { withFiles } from "./attached-files.ts";
import { continueHint, printFirstRunNote } from "./first-run.ts";
import { interruptible } from "../terminal/interruption.ts";
import { isAtTerminal } from "../terminal/terminal-input.ts";
import { withTrustedText } from "../trust/with-trusted-text.ts";
import { shortId } from "../output/short-id.ts";
import { turnBody } from "./turn-body.ts";
import { UsageError } from "../registry/usage-error.ts";
import type { Output } from "../output/output.ts";
import { isAgreed } from "../questions/is-agreed.ts";
import { pipedText } from "../terminal/piped-text.ts";

export async function askQuestion(call: Call<[question?: string], AskOption>): Promise<number> {
  const [typed = ""] = call.words;
  // A single word that continues a conversation is not a mistyped command.
  if (isNew(call) && /^[a-z]+$/.test(typed)) await confirmQuestion(typed, call.output);
  return answerQuestion(call);
}

async function answerQuestion(call: Call<[question?: string], AskOption>): Promise<number> {
  const {
    words: [typed],
    args,
    output,
    host,
  } = call;
  const connection = await host.connect();
  const { client, dataFolder, isUnconfigured } = connection;
  const schema = await answerSchema(args.schemaPath);
  const input = await withFiles(await questionOf(typed, output), args.files);
  await using answerFile = args.answerPath === undefined ? undefined : await AnswerFile.at(args.answerPath);
  const conversationId = await openConversation(client, args, output);
  const whole = await mentionedResources(input, { client, conversationId, typed: typed ?? "" });
  if (args.isJson) output.outLine(JSON.stringify({ type: "conversation", conversationId }));
  const exitCode = await interruptible((signal, stop) => {
    const askPerson = isAtTerminal() ? askAtTerminal : undefined;
    const common = { client, dataFolder, conversationId, args, output, askPerson, stop, signal };
    return ask(whole, { ...common, answerFile, schema });
  });
  if (isNew(call) && !args.isQuiet) {
    if (isUnconfigured && !args.isJson) await printFirstRunNote(conversationId, connection, output);
    output.errLine(continueHint(conversationId, args, { errWidth: output.errWidth, hasQuestion: true }));
  }
  return exitCode;
}

function isNew({ args }: Call<[question?: string], AskOption>): boolean {
  return args.conversation === undefined && !args.isContinued;
}

/** With `--background` it returns once the host has accepted the task. */
export async function run(call: Call<[task: string], AskOption | "isInBackground">): Promise<number> {
  const {
    words: [task],
    args,
    output,
    host,
  } = call;
  if (!args.isInBackground) return answerQuestion(call);

  const { client, dataFolder, isInside } = await host.connect();
  if (isInside)
    throw new Error(
      'No host is running that could continue the task after this command; start one with "incipit serve"',
    );
  const schema = await answerSchema(args.schemaPath);
  const input = await withFiles(await questionOf(task, output), args.files);
  const id = await openConversation(client, args, output);
  const body = turnBody(await mentionedResources(input, { client, conversationId: id, typed: task }), args, schema);
  const askPerson = isAtTerminal() ? askAtTerminal : undefined;
  const { signal } = new AbortController();
  const send = async (): Promise<number> => {
    // Disconnecting does not stop the turn.
    for await (const { turnId } of client.sendTurn(id, body, { idempotencyKey: crypto.randomUUID() })) {
      output.outLine(args.isJson ? JSON.stringify({ conversationId: id, turnId }) : id);
      break;
    }
    return 0;
  };
  const options = {
    client,
    dataFolder,
    conversationId: id,
    args,
    output,
    askPerson,
    signal,
    undone: "Nothing was sent",
  };
  const exitCode = await withTrustedText(send, options);
  if (exitCode === 0 && !args.isJson)
    output.err(
      `Status:\n  incipit conversations show ${shortId(id)}\nMessages:\n  incipit conversations history ${shortId(id)}\n`,
    );
  return exitCode;
}

/** Returns the question; for `-` or no word, the piped text alone. */
async function questionOf(written: string | undefined, output: Output): Promise<string> {
  if (written === "-" && process.stdin.isTTY)
    throw new UsageError('"-" asks what is piped into the command, and nothing is: git diff | incipit -');
  const asked = written === "-" ? "-" : written === undefined ? "alone" : undefined;
  const piped = await pipedText({ output, asked });
  if (asked !== undefined && piped.trim() === "")
    throw new UsageError(
      'Nothing came on standard input: there is no question; write one, as in: incipit "What is new?"',
    );
  if (written === undefined || written === "-") return piped;
  return piped.trim() === "" ? written : `${written}\n\n${piped}`;
}

/** A single word may be a mistyped command. */
async function confirmQuestion(word: string, output: Output): Promise<void> {
  if (await isAgreed(`There is no command "${word}". Send it as a question? [y/N] `, output)) return;
  throw new UsageError(`There is no command "${word}"; a question of one word ends with "?"`);
}
