import type { Arguments } from "../arguments/arguments.ts";
import { AnswerFile } from "./answer-file.ts";
import { answerSchema } from "./answer-schema.ts";
import { ask, openConversation } from "./ask.ts";
import { askAtTerminal } from "../questions/ask-at-terminal.ts";
import { mentionedResources } from "./mentioned-resources.ts";
import { questionOf } from "./question-of.ts";
import { withFiles } from "./attached-files.ts";
import type { Connection } from "../host/connection.ts";
import { continueHint, printFirstRunNote } from "./first-run.ts";
import { interruptible } from "../terminal/interruption.ts";
import type { Output } from "../output/output.ts";
import { isAtTerminal } from "../terminal/terminal-input.ts";

export async function askQuestion(connection: Connection, args: Arguments, output: Output): Promise<number> {
  const { client, dataFolder, isUnconfigured } = connection;
  const schema = await answerSchema(args.schemaPath);
  const input = await withFiles(await questionOf(args, output), args.files);
  await using answerFile = args.answerPath === undefined ? undefined : await AnswerFile.at(args.answerPath);
  const conversationId = await openConversation(client, args, output);
  const {
    words: [typed = ""],
  } = args;
  const whole = await mentionedResources(input, { client, conversationId, typed });
  if (args.isJson) output.outLine(JSON.stringify({ type: "conversation", conversationId }));
  const exitCode = await interruptible((signal, stop) => {
    const askPerson = isAtTerminal() ? askAtTerminal : undefined;
    const common = { client, dataFolder, conversationId, args, output, askPerson, stop, signal };
    return ask(whole, { ...common, answerFile, schema });
  });
  if (args.conversation === undefined && !args.isContinued && !args.isQuiet) {
    if (isUnconfigured && !args.isJson) await printFirstRunNote(conversationId, connection, output);
    output.errLine(continueHint(conversationId, args, { errWidth: output.errWidth, hasQuestion: true }));
  }
  return exitCode;
}
