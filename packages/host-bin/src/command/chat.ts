import type { Client } from "@incipit/transport-contract";
import { createInterface } from "node:readline/promises";
import type { Arguments } from "./arguments.ts";
import { ask, openConversation, type Output } from "./ask.ts";

/** Reads lines and answers each, until the input ends. */
export async function chat(client: Client, args: Arguments, output: Output): Promise<number> {
  const id = await openConversation(client, args);
  output.err(`Conversation ${id}. An empty line or Ctrl-D ends it.\n`);
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: process.stdin.isTTY });
  let exitCode = 0;
  // Piped input may end, and the reader close, while an answer is still coming.
  const showPrompt = (): void => {
    if (process.stdin.isTTY) lines.prompt();
  };
  lines.setPrompt("> ");
  showPrompt();
  for await (const line of lines) {
    if (line.trim() === "") break;
    exitCode = await ask(client, id, line, args, output);
    showPrompt();
  }
  lines.close();
  output.err(`Go on with: incipit -s ${id} "…"\n`);
  return exitCode;
}
