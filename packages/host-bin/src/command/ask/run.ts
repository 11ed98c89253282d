import type { AskOption } from "../registry/ask-options.ts";
import type { Call } from "../registry/command.ts";
import { askAtTerminal } from "../questions/ask-at-terminal.ts";
import { isAtTerminal } from "../terminal/terminal-input.ts";
import { withTrustedText } from "../trust/with-trusted-text.ts";
import { shortId } from "../output/short-id.ts";
import { answerQuestion } from "./ask-question.ts";
import { openConversation } from "./ask.ts";
import { answerSchema } from "./answer-schema.ts";
import { withFiles } from "./attached-files.ts";
import { mentionedResources } from "./mentioned-resources.ts";
import { questionOf } from "./question-of.ts";
import { turnBody } from "./turn-body.ts";

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
      `Status:\n  incipit conversations show ${shortId(id)}\nMessages:\n  incipit conversations history ${shortId(id)}\n`,
    );
  return exitCode;
}
