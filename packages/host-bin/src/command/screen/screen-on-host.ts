import { terminalSettings, valueAt, withValue, type TerminalSettings } from "@incipit/host/configuration-file";
import { DataFolder } from "@incipit/host/data-folder";
import type { TalkArguments } from "../ask/talk-arguments.ts";
import { refuseDataFolder } from "../arguments/refuse-data-folder.ts";
import type { OptionsOf } from "../registry/options.ts";
import { workingFolder } from "../arguments/working-folder.ts";
import { connect } from "../host/connection.ts";
import type { HostStart } from "../registry/host-access.ts";
import type { Output } from "../output/output.ts";
import { overrides } from "../../config/overrides.ts";
import { type ConfigSources, ownPlaces } from "../../config/own-places.ts";
import { readConfigFile } from "../../config/read-config-file.ts";
import { screen } from "./screen.ts";

interface ScreenOnHostOptions {
  readonly args: TalkArguments & OptionsOf<"config" | "data">;
  readonly output: Output;
  /** Configuration for a host that this process starts itself if the running one ends. */
  readonly config: HostStart["config"];
}

/**
 * Opens the terminal on a running host, and returns the exit code. Loads none of the host's code, which would be most
 * of the memory, and reads only the terminal settings. Returns `undefined` when no host runs, no screen is wanted, or
 * the configuration is invalid, which the full loader reports better.
 */
export async function openScreenOnHost({ args, output, config }: ScreenOnHostOptions): Promise<number | undefined> {
  const sources = { cwd: process.cwd(), env: process.env, flags: args };
  const { dataFolder, userFolder, file } = ownPlaces(sources);
  const state = DataFolder.look(dataFolder);
  if (state.kind === "free" || state.holder?.url === undefined) return undefined;
  const settings = writtenSettings(file, sources);
  if (settings === undefined || settings.screen_reader) return undefined;
  const cwd = workingFolder(args);
  await refuseDataFolder("chat", { isNamed: args.cwd !== undefined, cwd, dataFolder });
  const start: HostStart = { dataFolder, userFolder, config, offered: [], isUnconfigured: false };
  return screen({
    open: (options) => connect(start, { cwd, ...options }),
    cwd,
    dataFolder,
    args,
    settings,
    output,
  });
}

function writtenSettings(file: string | undefined, sources: ConfigSources): TerminalSettings | undefined {
  const said = overrides(sources).filter(({ path }) => path[0] === "terminal");
  const written = file === undefined ? {} : readConfigFile(file).table;
  const table = said.reduce((whole, { path, value }) => withValue(whole, path, value), written);
  return terminalSettings(valueAt(table, ["terminal"]));
}
