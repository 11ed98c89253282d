import type { TerminalOptions } from "@incipit/terminal";
import { join } from "node:path";
import type { Arguments } from "../arguments/arguments.ts";
import { lastConversation, namedConversation } from "../arguments/named-conversation.ts";
import { goOnWith } from "../ask/first-run.ts";
import type { Connection, ConnectOptions } from "../host/connection.ts";
import { errorText } from "../output/error-text.ts";
import type { Output } from "../output/output.ts";
import { version } from "../../version.ts";

export interface ScreenOptions {
  readonly open: (options: Pick<ConnectOptions, "err" | "onMove">) => Promise<Connection>;
  /** Working folder of a conversation that begins; absolute. */
  readonly cwd: string;
  readonly dataFolder: string;
  readonly args: Arguments;
  readonly output: Output;
}

/** The terminal, until it is left. */
export async function screen({ open, cwd, dataFolder, args, output }: ScreenOptions): Promise<number> {
  const { openTerminal } = await import("@incipit/terminal");
  let connection: Connection | undefined;
  const log: string[] = [];
  const connect: TerminalOptions["connect"] = async (tell) => {
    const opened = await open({
      err: (text) => log.push(text), // For when the screen is given back.
      onMove: () => tell(`The host has ended. ${whereabouts(opened)}`),
    });
    connection = opened;
    return { client: opened.client, note: opened.isInside ? undefined : whereabouts(opened) };
  };
  try {
    const { conversationId } = await openTerminal({
      connect,
      cwd,
      ...(args.model === undefined ? {} : { model: args.model }),
      ...(args.profile === undefined ? {} : { profile: args.profile }),
      ...(args.conversation === undefined && !args.isContinued
        ? {}
        : {
            conversation: (client) =>
              args.conversation === undefined
                ? lastConversation(client, cwd)
                : namedConversation(client, args.conversation),
          }),
      historyFile: join(dataFolder, "terminal-history.jsonl"),
      env: process.env,
      isWholeScreen: false,
      greeting: [`Incipit ${version} · /help shows the commands and the keys`],
      problemText: errorText,
    });
    if (conversationId !== undefined) output.errLine(`Go on with: incipit ${goOnWith(conversationId, args)}`);
    return 0;
  } finally {
    for (const text of log) output.err(text);
    await connection?.[Symbol.asyncDispose]();
  }
}

/** Who has the data folder, in a sentence. */
function whereabouts({ isInside, pid, url }: Connection): string {
  return isInside
    ? "It runs inside this terminal from here on, and ends with it"
    : `The host is process ${pid}, at ${url}; it stays when this terminal is left`;
}
