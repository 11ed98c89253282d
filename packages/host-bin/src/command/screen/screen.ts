import type { TerminalOptions } from "@incipit/terminal";
import { join } from "node:path";
import type { Arguments } from "../arguments/arguments.ts";
import { lastConversation, namedConversation } from "../arguments/named-conversation.ts";
import { fileParts } from "../ask/attached-files.ts";
import { goOnWith } from "../ask/first-run.ts";
import type { Connection } from "../host/connection.ts";
import { errorText } from "../output/error-text.ts";
import type { Output } from "../output/output.ts";
import { runEditor } from "../prompt/run-editor.ts";
import { version } from "../../version.ts";

export interface ScreenOptions {
  /** @param err Takes what a host inside this process logs. */
  readonly open: (err: (text: string) => void) => Promise<Connection>;
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
  const connect: TerminalOptions["connect"] = async () => {
    connection = await open((text) => log.push(text));
    return { client: connection.client, note: undefined };
  };
  const tell = (): void => {
    for (const text of log.splice(0)) output.err(text);
  };
  try {
    const opened = openTerminal({
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
      readFiles: fileParts,
      openEditor: runEditor,
      problemText: errorText,
    });
    process.once("exit", tell); // Behind the terminal's own: an error that nobody caught is told on a screen that was given back.
    const { conversationId } = await opened;
    if (conversationId !== undefined) output.errLine(`Go on with: incipit ${goOnWith(conversationId, args)}`);
    return 0;
  } finally {
    process.off("exit", tell);
    tell();
    await connection?.[Symbol.asyncDispose]();
  }
}
