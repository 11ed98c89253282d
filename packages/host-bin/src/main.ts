#!/usr/bin/env -S bun --no-env-file --config=/dev/null --tsconfig-override=/dev/null
import { isatty } from "node:tty";
import { commands } from "./command/definitions/commands.ts";
import { exitCodeOf } from "./command/registry/command.ts";
import { hasHelp, helpOf } from "./command/registry/help.ts";
import { parseCommandLine, type ParsedLine } from "./command/registry/parse-command-line.ts";
import { UsageError } from "./command/registry/usage-error.ts";
import { standardStreams } from "./command/output/standard-streams.ts";
import { version } from "./version.ts";
import { isInputPiped } from "./command/terminal/piped-text.ts";

const output = standardStreams();

function isAtTerminal(): boolean {
  return isatty(0) && isatty(1);
}

// An empty address means unset; the providers' packages read these variables on import and would fail.
for (const name of ["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"])
  if (process.env[name]?.trim() === "") delete process.env[name];

async function run(line: ParsedLine): Promise<number> {
  if (line.kind === "version") {
    output.outLine(version);
    return 0;
  }
  if (line.kind === "help") {
    output.out(helpOf(commands, line.about, output.width));
    return hasHelp(commands, line.about) ? 0 : 2;
  }
  const { command, words, args } = line;
  const isText = command.name === "man" || command.name === "completions";
  if (args.isJson === true || isText) output.keepLines();
  // Until a separate host is found, and from then on if there is one.
  if (command.name === "chat" && isAtTerminal() && args.isJson !== true)
    (await import("./compile-late.ts")).compileLate();
  if (!isText) (await import("./parse-without-jit.ts")).parseWithoutJit();
  const { allow = [], system = [] } = args;
  if (allow.length > 0) (await import("./command/arguments/check-grants.ts")).checkGrants(allow);
  if (system.length > 0) (await import("./command/arguments/check-system.ts")).checkSystem(system);
  const { hostAccess } = await import("./command/host/host-access.ts");
  // Awaited here, because the in-process host ends with this function.
  await using closing = new AsyncDisposableStack();
  const host = hostAccess(line, { output, closing });
  return await exitCodeOf(command.run({ words, args, output, host, commands }));
}

/** The host's timers do not keep the process alive. */
const keepAlive = setInterval(() => {}, 60_000);
try {
  const [first, mark, ...words] = process.argv.slice(2);
  if (first === "complete" && (mark === "--" || mark === "--next"))
    await (
      await import("./command/shell/complete-line.ts")
    ).completeLine({ commands, words: mark === "--next" ? [...words, ""] : words }, output);
  else
    process.exitCode = await run(
      parseCommandLine(commands, process.argv.slice(2), { isAtTerminal: isAtTerminal(), isPiped: isInputPiped() }),
    );
} catch (error) {
  const { errorText } = await import("./command/output/error-text.ts");
  output.err(`${errorText(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
clearInterval(keepAlive);
