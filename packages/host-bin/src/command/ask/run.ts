import { UsageError, type Arguments } from "../arguments/arguments.ts";
import type { Connection } from "../host/connection.ts";
import type { Output } from "../output/output.ts";
import { askAtTerminal } from "../questions/ask-at-terminal.ts";
import { isAtTerminal } from "../terminal/terminal-input.ts";
import { withTrustedText } from "../trust/with-trusted-text.ts";
import { shortId } from "../output/short-id.ts";
import { askQuestion } from "./ask-question.ts";
import { openConversation } from "./ask.ts";
import { answerSchema } from "./answer-schema.ts";
import { withFiles } from "./attached-files.ts";
import { mentionedResources } from "./mentioned-resources.ts";
import { questionOf } from "./question-of.ts";
import { turnBody } from "./turn-body.ts";

/** With `--background` it returns once the host has accepted the task. */
export async function run(connection: Connection, args: Arguments, output: Output): Promise<number> {
  const [task, stray] = args.words;
  if (task === undefined) throw new UsageError('"run" needs a task; write: incipit run "TASK" --profile NAME');
  if (stray !== undefined) throw new UsageError(`"run" takes no "${stray}"; put the task in quotes`);
  if (!args.isInBackground) return askQuestion(connection, args, output);

  const { client, dataFolder, isInside } = connection;
  if (isInside)
    throw new Error(
      'No host runs that would go on with the task when this command has ended; start one with "incipit serve"',
    );
  const schema = await answerSchema(args.schemaPath);
  const input = await withFiles(await questionOf({ ...args, words: [task] }, output), args.files);
  const id = await openConversation(client, args, output);
  const body = turnBody(await mentionedResources(input, { client, conversationId: id, typed: task }), args, schema);
  const askPerson = isAtTerminal() ? askAtTerminal : undefined;
  const { signal } = new AbortController();
  const send = async (): Promise<number> => {
    // Disconnecting does not stop the turn.
    for await (const { turnId } of client.sendTurn(id, body, { idempotencyKey: crypto.randomUUID() })) {
      if (args.isJson) output.outLine(JSON.stringify({ conversationId: id, turnId }));
      else output.outLine(id);
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
      `How far it is:\n  incipit conversations show ${shortId(id)}\nWhat was said:\n  incipit conversations history ${shortId(id)}\n`,
    );
  return exitCode;
}
