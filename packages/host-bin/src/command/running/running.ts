import { routes, type Client } from "@incipit/transport-contract";
import { UsageError, type Arguments } from "../arguments/arguments.ts";
import { lastConversation, resolveConversationId } from "../arguments/named-conversation.ts";
import { workingFolder } from "../arguments/working-folder.ts";
import type { Connection } from "../host/connection.ts";
import type { Output } from "../output/output.ts";
import { interruptible } from "../terminal/interruption.ts";
import { answer } from "./answer.ts";
import { approve } from "./approve.ts";
import { follow } from "./follow.ts";
import { queue } from "./queue.ts";

const usages = {
  answer: "ID [QUESTION | accept JSON | decline | cancel]",
  approve: "ID [list | take-back ALLOWED | allow|always|always-in-folder|deny [CALL]]",
  compact: "ID [WORDS]",
  follow: "ID",
  queue: "ID [resume | remove TURN]",
  stop: "ID",
} as const;
type RunningCommand = keyof typeof usages;

export interface RunningOptions {
  readonly client: Client;
  readonly id: string;
  readonly words: readonly string[];
  readonly args: Arguments;
  readonly output: Output;
}

export async function running(
  { client, isInside }: Pick<Connection, "client" | "isInside">,
  command: RunningCommand,
  { args, output }: { readonly args: Arguments; readonly output: Output },
): Promise<number> {
  const { words, isContinued } = args;
  const [named, ...more] = isContinued ? ["", ...words] : words;
  const usage = `write: incipit ${command} ${usages[command]} (-c in the place of ID: the last one of this folder)`;
  if (named === undefined) throw new UsageError(`"${command}" needs a conversation; ${usage}`);
  const longest = { answer: 3, approve: 2, compact: 1, follow: 0, queue: 2, stop: 0 }[command];
  const stray = more[longest];
  if (stray !== undefined) throw new UsageError(`"${command}" takes no "${stray}"; ${usage}`);
  if (isInside && command === "follow")
    throw new Error('No host runs, so nothing happens there; start one with "incipit serve"');
  const id = isContinued
    ? await lastConversation(client, workingFolder(args))
    : await resolveConversationId(client, named);
  const options: RunningOptions = { client, id, words: more, args, output };
  if (command === "answer") return answer(options);
  if (command === "approve") return approve(options);
  if (command === "follow") return follow(options);
  if (command === "queue") return queue(options);
  return command === "stop" ? stop(options) : compact(options);
}

async function stop({ client, id, args, output }: RunningOptions): Promise<number> {
  const answer = await client.call(routes.stopConversation, { params: { id } });
  if (args.isJson) output.outLine(JSON.stringify(answer));
  else output.outLine(answer.stopped ? `Stopped ${id}` : `Nothing runs in ${id}`);
  return 0;
}

/** Ctrl-C cancels it and leaves everything unchanged. */
async function compact({ client, id, words, args, output }: RunningOptions): Promise<number> {
  const [instructions] = words;
  const body = instructions === undefined ? {} : { instructions };
  return interruptible(async (signal) => {
    try {
      const { conversation, summary } = await client.call(routes.compactConversation, {
        params: { id },
        body,
        signal,
      });
      if (args.isJson) {
        output.outLine(JSON.stringify({ conversation, summary }));
        return 0;
      }
      for (const part of summary.parts) if (part.type === "text") output.out(`${part.text}\n`);
      output.errLine(
        `From here on the model is sent this summary in the place of what was said (epoch ${conversation.epoch})`,
      );
      return 0;
    } catch (error) {
      if (!signal.aborted) throw error;
      output.errLine("Stopped: a summary that was not finished changes nothing");
      return 130;
    }
  });
}
