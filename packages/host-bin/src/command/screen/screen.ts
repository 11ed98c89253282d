import { writeExport } from "../conversations/export-file.ts";
import type { TerminalOptions } from "@incipit/terminal";
import type { TerminalSettings } from "@incipit/host/configuration-file";
import { join } from "node:path";
import type { TalkArguments } from "../ask/talk-arguments.ts";
import { lastConversation, resolveConversationId } from "../arguments/named-conversation.ts";
import { fileParts } from "../ask/attached-files.ts";
import { firstRunNote, continueHint } from "../ask/first-run.ts";
import { grantWarnings } from "../ask/grant-warnings.ts";
import { turnBody } from "../ask/turn-body.ts";
import type { Connection, ConnectOptions } from "../registry/host-access.ts";
import { errorText } from "../output/error-text.ts";
import { modelAdvice } from "../output/model-advice.ts";
import type { Output } from "../output/output.ts";
import { runEditor } from "../prompt/run-editor.ts";
import { runOwnCommand } from "./run-own-command.ts";
import { version } from "../../version.ts";

export interface ScreenOptions {
  readonly open: (options: Pick<ConnectOptions, "err" | "onMove" | "onSilent">) => Promise<Connection>;
  readonly cwd: string;
  readonly dataFolder: string;
  readonly args: TalkArguments;
  readonly settings: TerminalSettings;
  readonly output: Output;
}

export async function screen({ open, cwd, dataFolder, args, settings, output }: ScreenOptions): Promise<number> {
  const { openTerminal } = await import("@incipit/terminal");
  const { input: _, ...eachTurn } = turnBody("", args);
  let connection: Connection | undefined;
  const log: string[] = [];
  const connect: TerminalOptions["connect"] = async (tell) => {
    const opened = await open({
      err: (text) => log.push(text), // Printed once the screen is restored.
      onMove: () => tell(`The host has ended. ${describeHost(opened)}`),
      onSilent: (text) => tell(text.trim()),
    });
    connection = opened;
    return { client: opened.client, note: opened.isInside ? firstRunNote(opened, args) : describeHost(opened) };
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
      ...(args.effort === undefined ? {} : { effort: args.effort }),
      eachTurn,
      ...(args.conversation === undefined && !args.isContinued
        ? {}
        : {
            conversation: (client) =>
              args.conversation === undefined
                ? lastConversation(client, cwd)
                : resolveConversationId(client, args.conversation),
          }),
      historyFile: join(dataFolder, "terminal-history.jsonl"),
      env: process.env,
      isWholeScreen: settings.screen === "alternate",
      theme: settings.theme,
      greeting: [`Incipit ${version} · /help shows commands and keys`, ...grantWarnings(args.allow)],
      readFiles: fileParts,
      openEditor: runEditor,
      runCommand: (command, folder) =>
        runOwnCommand(command, { folder, isWholeScreen: settings.screen === "alternate" }),
      writeExport,
      // It includes the configuration schema of every extension.
      folderTrust: async (folder) => (await import("../trust/folder-trust.ts")).folderTrust(folder, { dataFolder }),
      problemText: errorText,
      failureAdvice: modelAdvice,
    });
    process.once("exit", tell); // Registered after the terminal's handler, so that an uncaught error is printed on the restored screen.
    const { conversationId, isInterrupted } = await opened;
    if (conversationId !== undefined) output.errLine(continueHint(conversationId, args, output));
    return isInterrupted ? 130 : 0;
  } finally {
    process.off("exit", tell);
    tell();
    await connection?.[Symbol.asyncDispose]();
  }
}

function describeHost({ isInside, pid, url }: Connection): string {
  return isInside
    ? "It runs inside this terminal from here on, and ends with it"
    : `The host is process ${pid}, at ${url}; it stays when this terminal is left`;
}
