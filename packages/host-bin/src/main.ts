#!/usr/bin/env bun
import type { Client } from "@incipit/transport-contract";
import { parseArguments, UsageError, type Arguments } from "./command/arguments.ts";
import type { Output } from "./command/ask.ts";
import { help } from "./command/help.ts";
import { loadConfig } from "./config/load-config.ts";
import { version } from "./version.ts";

const output: Output = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

async function run(args: Arguments): Promise<number> {
  if (args.isHelp) {
    output.out(help);
    return 0;
  }
  if (args.isVersion) {
    output.out(`${version}\n`);
    return 0;
  }
  const cwd = process.cwd();
  const loaded = loadConfig({ cwd, env: process.env, flags: args });
  const [word] = args.words;
  if (word === "serve") {
    const { serve } = await import("./command/serve.ts");
    return serve(loaded, { isJson: args.isJson, cwd }, output);
  }
  if (word === "token") {
    const { readOrCreateToken } = await import("./data-folder.ts");
    output.out(`${readOrCreateToken(loaded.dataFolder)}\n`);
    return 0;
  }
  if (word === undefined && !args.isRepl)
    throw new UsageError('Nothing to do: write a question, or "incipit --help"');
  const { connect } = await import("./command/connection.ts");
  await using connection = await connect(loaded, cwd);
  return await converse(connection.client, args); // Awaited here: the host inside goes when this function ends.
}

async function converse(client: Client, args: Arguments): Promise<number> {
  const [word] = args.words;
  if (word === "prompt") return (await import("./command/prompt.ts")).prompt(client, args, output);
  if (word === "extensions") return (await import("./command/extensions.ts")).extensions(client, args, output);
  if (args.isRepl || word === "chat") return (await import("./command/chat.ts")).chat(client, args, output);
  const { ask, openConversation } = await import("./command/ask.ts");
  if (args.words.length > 1) throw new UsageError("One question at a time: put it in quotes");
  const id = await openConversation(client, args);
  const exitCode = await ask(client, id, word ?? "", args, output);
  if (!args.isJson && args.conversation === undefined) output.err(`Go on with: incipit -s ${id} "…"\n`);
  return exitCode;
}

/** Timers of the host do not keep the process alive: this does, until the command has ended. */
const keepAlive = setInterval(() => {}, 60_000);
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0); // Whoever read the output has seen enough.
});
try {
  process.exitCode = await run(parseArguments(process.argv.slice(2)));
} catch (error) {
  output.err(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
clearInterval(keepAlive);
