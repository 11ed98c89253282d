import { expect } from "bun:test";
import type { Connection, HostAccess } from "../registry/host-access.ts";
import { commands } from "../definitions/commands.ts";
import { exitCodeOf } from "../registry/command.ts";
import { parseCommandLine } from "../registry/parse-command-line.ts";
import { answeringHost } from "./answering-host.ts";
import { recordOutput } from "./recorded-output.ts";

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Parses a command line and runs it against `client`, in place of a host. */
export async function runCommand(
  argv: readonly string[],
  host: Pick<Connection, "client"> & Partial<Connection & { readonly userFolder: string; readonly cwd: string }>,
  options: Parameters<typeof recordOutput>[0] = {},
): Promise<Ran> {
  const line = parseCommandLine(commands, argv);
  if (line.kind !== "command") throw new Error(`"${argv.join(" ")}" is not a command`);
  const { command, words, args } = line;
  const { output, stdout, stderr } = recordOutput(options);
  const exitCode = await exitCodeOf(command.run({ words, args, output, host: accessTo(host), commands }));
  return { exitCode, stdout: stdout(), stderr: stderr() };
}

function accessTo(host: Parameters<typeof runCommand>[1]): HostAccess {
  const { client, dataFolder = "/none/data", userFolder = "/none/user", cwd = "/work" } = host;
  const connection: Connection = {
    dataFolder,
    isInside: false,
    pid: 1,
    url: "http://host.test",
    offered: [],
    isUnconfigured: false,
    async [Symbol.asyncDispose]() {},
    ...host,
  };
  const places = {
    dataFolder,
    userFolder,
    file: undefined,
    configFile: `${userFolder}/incipit.toml`,
    ownFolder: userFolder,
  };
  const unconfigured = (): never => {
    throw new Error("This host has no configuration");
  };
  return {
    places: async () => places,
    load: async () => ({ ...places, isModelNamed: false, offered: [], config: unconfigured }),
    config: unconfigured,
    start: async () => ({ dataFolder, userFolder, offered: [], isUnconfigured: false, cwd, config: unconfigured }),
    open: async () => connection,
    connect: async () => connection,
    client: async () => client,
  };
}

export interface RanAgainst extends Ran {
  readonly requests: ReturnType<typeof answeringHost>["requests"];
}

/** Runs a command line against these answers, and expects success. */
export async function runAgainst(argv: readonly string[], ...answers: readonly unknown[]): Promise<RanAgainst> {
  const { client, requests } = answeringHost(...answers);
  const ran = await runCommand(argv, { client });
  expect(ran.exitCode).toBe(0);
  return { ...ran, requests };
}
