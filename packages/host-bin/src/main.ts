#!/usr/bin/env -S bun --no-env-file --config=/dev/null --tsconfig-override=/dev/null
import { isatty } from "node:tty";
import { parseArguments, UsageError, type Arguments } from "./command/arguments/arguments.ts";
import { hasHelp, helpOf } from "./command/arguments/help.ts";
import { standardStreams } from "./command/output/standard-streams.ts";
import type { HostStart } from "./command/host/connection.ts";
import { version } from "./version.ts";
import { isInputPiped } from "./command/terminal/piped-text.ts";
import type { LoadedConfig } from "./config/load-config.ts";
import type { Config } from "@incipit/host/configuration";

const output = standardStreams();

function isAtTerminal(): boolean {
  return isatty(0) && isatty(1);
}

// An empty address means unset; the providers' packages read these variables on import and would fail.
for (const name of ["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"])
  if (process.env[name]?.trim() === "") delete process.env[name];

async function load(args: Arguments): Promise<LoadedConfig> {
  const { loadConfig } = await import("./config/load-config.ts");
  // The host that answers may know other models than this file.
  const flags = args.command === "serve" ? args : { ...args, model: undefined };
  // An in-process host needs that model's provider. A list filtered by a model does not.
  const named = args.model === undefined || args.command === "conversations" ? [] : [args.model];
  return loadConfig({ cwd: process.cwd(), env: process.env, named, flags });
}

async function configOfHost(loaded: LoadedConfig): Promise<Config> {
  const { hostConfig } = await import("./command/host/host-config.ts");
  return hostConfig(loaded, { cwd: process.cwd(), output });
}

// A host's code would dominate the run time of a command.
async function run(args: Arguments): Promise<number> {
  const { command } = args;
  if (args.isJson || command === "man" || command === "completions") output.keepLines();
  if (command === "help" || command === "version") {
    const [about] = args.words;
    if (command === "help") output.out(helpOf(about, output.width));
    else output.outLine(version);
    return command === "help" && !hasHelp(about) ? 2 : 0;
  }
  if (command === "man") {
    output.out((await import("./command/shell/man-page.ts")).manPage(version));
    return 0;
  }
  if (command === "completions") {
    output.out((await import("./command/shell/completion-script.ts")).completionScript(args.words));
    return 0;
  }
  const isChatAtTerminal = command === "chat" && isAtTerminal() && !args.isJson;
  // Until a separate host is found, and from then on if there is one.
  if (isChatAtTerminal) (await import("./compile-late.ts")).compileLate();
  (await import("./parse-without-jit.ts")).parseWithoutJit();
  if (args.allow.length > 0) (await import("./command/arguments/check-grants.ts")).checkGrants(args.allow);
  if (args.system.length > 0) (await import("./command/arguments/check-system.ts")).checkSystem(args.system);
  const { isJson } = args;
  if (command === "update") {
    const { update } = await import("./command/installation/update.ts");
    return update({ version, env: process.env, isJson }, output);
  }
  if (command === "uninstall") {
    const { uninstall } = await import("./command/installation/uninstall.ts");
    const { ownPlaces } = await import("./config/own-places.ts");
    const places = ownPlaces({ cwd: process.cwd(), env: process.env, flags: args });
    return uninstall({ places, version, env: process.env, isJson }, output);
  }
  if (command === "doctor") return (await import("./command/doctor/doctor.ts")).doctor(args, output);
  if (command === "setup") {
    const { setup } = await import("./command/setup/setup.ts");
    const { ownPlaces } = await import("./config/own-places.ts");
    // setup may replace an invalid file, so it does not read it.
    const { configFile: file, dataFolder } = ownPlaces({ cwd: process.cwd(), env: process.env, flags: args });
    return setup({ file, dataFolder, args, output });
  }
  // Screen readers and terminals that cannot draw get line mode.
  let isForScreenReader = isChatAtTerminal && (args.isForScreenReader || process.env["TERM"] === "dumb");
  if (isChatAtTerminal && !isForScreenReader) {
    const { openScreenOnHost } = await import("./command/screen/screen-on-host.ts");
    const config: HostStart["config"] = async () => configOfHost(await load(args));
    const code = await openScreenOnHost({ args, output, config });
    if (code !== undefined) return code;
  }
  const loaded = await load(args);
  if (command === "token" && args.words.length === 0) {
    const { ownToken } = await import("./command/tokens/own-token.ts");
    return ownToken({ dataFolder: loaded.dataFolder, args }, output);
  }
  if (command === "page") {
    const { page } = await import("./command/host/page.ts");
    return page({ dataFolder: loaded.dataFolder, isJson: args.isJson }, output);
  }
  if (command === "trust") {
    const { trust } = await import("./command/trust/trust.ts");
    return trust({ dataFolder: loaded.dataFolder, args, output });
  }
  if (command === "mcp" && (args.words[0] === "add" || args.words[0] === "import")) {
    const { addServer, importServers } = await import("./command/mcp/add-servers.ts");
    const options = { file: loaded.configFile, dataFolder: loaded.dataFolder, args, output };
    return args.words[0] === "add" ? addServer(options) : importServers(options);
  }
  if (command === "extensions" && args.words[0] === "new")
    return (await import("./command/extensions/new-extension.ts")).newExtension(args, output);
  if (command === "extensions" && args.words[0] === "types")
    return (await import("./command/extensions/author-types.ts")).extensionTypes(args, output);
  const { workingFolder } = await import("./command/arguments/working-folder.ts");
  const cwd = command === "conversations" ? process.cwd() : workingFolder(args);
  let settled: ReturnType<HostStart["config"]> | undefined;
  const start: HostStart = {
    dataFolder: loaded.dataFolder,
    userFolder: loaded.userFolder,
    offered: loaded.offered,
    isUnconfigured: loaded.file === undefined && !loaded.isModelNamed && args.model === undefined,
    config: () => (settled ??= configOfHost(loaded)),
  };
  const { refuseDataFolder } = await import("./command/arguments/refuse-data-folder.ts");
  await refuseDataFolder(args, { cwd, dataFolder: loaded.dataFolder });
  if (command === "serve") {
    const { serve } = await import("./command/host/serve.ts");
    return serve(start, { isJson: args.isJson, cwd }, output);
  }
  const { connect } = await import("./command/host/connection.ts");
  const open = (): ReturnType<typeof connect> => connect(start, { cwd, err: output.err });
  if (command === "acp") return (await import("./command/acp/acp.ts")).acp(open, args, output);
  if (isChatAtTerminal) {
    const { terminal } = loaded.config();
    isForScreenReader ||= terminal.screen_reader;
    if (!isForScreenReader) {
      const { screen } = await import("./command/screen/screen.ts");
      // Questions about trust have to come before the screen opens.
      const { DataFolder } = await import("@incipit/host/data-folder");
      if (DataFolder.look(loaded.dataFolder).kind === "free") await start.config();
      return screen({
        open: (options) => connect(start, { cwd, ...options }),
        cwd,
        dataFolder: loaded.dataFolder,
        args,
        settings: terminal,
        output,
      });
    }
  }
  // The author of an extension has to learn that the host has ended.
  const endsWithHost = command === "extensions" && args.words[0] === "dev";
  await using connection = await connect(start, { cwd, err: output.err, endsWithHost });
  if (command === "chat")
    return await (await import("./command/ask/chat.ts")).chat(connection, { ...args, isForScreenReader }, output);
  const { client } = connection;
  // Awaited here, because the in-process host ends with this function.
  if (command === "prompt") return await (await import("./command/prompt/prompt.ts")).prompt(client, args, output);
  if (command === "token") return await (await import("./command/tokens/tokens.ts")).tokens(client, args, output);
  if (command === "models")
    return await (await import("./command/models/models.ts")).models(connection, args, output);
  if (command === "agents") {
    const { dataFolder, userFolder } = loaded;
    return await (
      await import("./command/agents/agents.ts")
    ).agents({ client, dataFolder, userFolder, args, output });
  }
  if (command === "skills") return await (await import("./command/skills/skills.ts")).skills(client, args, output);
  if (command === "commands")
    return await (await import("./command/skills/skills.ts")).commands(client, args, output);
  if (command === "mcp") return await (await import("./command/mcp/mcp.ts")).mcp(client, args, output);
  if (command === "config")
    return await (await import("./command/host/configuration.ts")).configuration(client, args, output);
  if (command === "audit") return await (await import("./command/audit/audit.ts")).audit(client, args, output);
  if (command === "record") return await (await import("./command/record/record.ts")).record(client, args, output);
  if (command === "channels")
    return await (await import("./command/channels/channels.ts")).channels(client, args, output);
  if (command === "send")
    return await (await import("./command/channels/channels.ts")).sendToChannel(client, args, output);
  if (command === "heartbeat")
    return await (await import("./command/heartbeat/heartbeat.ts")).heartbeat(client, args, output);
  if (command === "schedules")
    return await (await import("./command/schedules/schedules.ts")).schedules(client, args, output);
  if (command === "conversations")
    return await (await import("./command/conversations/conversations.ts")).conversations(connection, args, output);
  if (command === "extensions")
    return await (await import("./command/extensions/extensions.ts")).extensions(client, args, output);
  if (
    command === "answer" ||
    command === "approve" ||
    command === "compact" ||
    command === "follow" ||
    command === "queue" ||
    command === "stop"
  )
    return await (await import("./command/running/running.ts")).running(connection, command, { args, output });
  if (command === "undo" || command === "redo")
    return await (await import("./command/undo/undo.ts")).undo(client, command, { args, output });
  if (command === "run") return await (await import("./command/ask/run.ts")).run(connection, args, output);
  return await (await import("./command/ask/ask-question.ts")).askQuestion(connection, args, output);
}

/** The host's timers do not keep the process alive. */
const keepAlive = setInterval(() => {}, 60_000);
try {
  const [first, mark, ...words] = process.argv.slice(2);
  if (first === "complete" && (mark === "--" || mark === "--next"))
    await (
      await import("./command/shell/complete-line.ts")
    ).completeLine(mark === "--next" ? [...words, ""] : words, output);
  else
    process.exitCode = await run(
      parseArguments(process.argv.slice(2), { isAtTerminal: isAtTerminal(), isPiped: isInputPiped() }),
    );
} catch (error) {
  const { errorText } = await import("./command/output/error-text.ts");
  output.err(`${errorText(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
clearInterval(keepAlive);
