import type { AskOption } from "../registry/ask-options.ts";
import type { Call } from "../registry/command.ts";
import { AnswerFile } from "./answer-file.ts";
import { answerSchema } from "./answer-schema.ts";
import { ask, openConversation } from "./ask.ts";
import { askAtTerminal } from "../questions/ask-at-terminal.ts";
import { mentionedResources } from "./mentioned-resources.ts";
import { confirmQuestion, questionOf } from "./question-of.ts";
import { withFiles } from "./attached-files.ts";
import { continueHint, printFirstRunNote } from "./first-run.ts";
import { interruptible } from "../terminal/interruption.ts";
import { isAtTerminal } from "../terminal/terminal-input.ts";

export async function askQuestion(call: Call<[question?: string], AskOption>): Promise<number> {
  const [typed = ""] = call.words;
  // A single word that continues a conversation is not a mistyped command.
  if (isNew(call) && /^[a-z]+$/.test(typed)) await confirmQuestion(typed, call.output);
  return answerQuestion(call);
}

export async function answerQuestion(call: Call<[question?: string], AskOption>): Promise<number> {
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
