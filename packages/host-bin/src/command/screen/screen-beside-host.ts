import { terminalSettings, valueAt, withValue, type TerminalSettings } from "@incipit/host/configuration-file";
import { DataFolder } from "@incipit/host/data-folder";
import type { Arguments } from "../arguments/arguments.ts";
import { refuseDataFolder } from "../arguments/refuse-data-folder.ts";
import { workingFolder } from "../arguments/working-folder.ts";
import { connect, type HostStart } from "../host/connection.ts";
import type { Output } from "../output/output.ts";
import { overrides } from "../../config/overrides.ts";
import { type ConfigSources, ownPlaces } from "../../config/own-places.ts";
import { readConfigFile } from "../../config/read-config-file.ts";
import { screen } from "./screen.ts";

interface BesideHostOptions {
  readonly args: Arguments;
  readonly output: Output;
  /** Configuration of a host that this process has to start itself, once the one that ran has ended. */
  readonly config: HostStart["config"];
}

/**
 * The terminal where a host runs already. That has its configuration in force, so nothing is read here but how the terminal is
 * to look, and none of a host's code is loaded: it would be most of the memory. `undefined`: no host runs, or it is not for a
 * screen, or something is wrong with what is written, which who reads all of it can tell best.
 */
export async function screenBesideHost({ args, output, config }: BesideHostOptions): Promise<number | undefined> {
  const sources = { cwd: process.cwd(), env: process.env, flags: args };
  const { dataFolder, userFolder, file } = ownPlaces(sources);
  const state = DataFolder.look(dataFolder);
  if (state.kind === "free" || state.holder?.url === undefined) return undefined;
  const settings = writtenSettings(file, sources);
  if (settings === undefined || settings.screen_reader) return undefined;
  const cwd = workingFolder(args);
  await refuseDataFolder(args, { cwd, dataFolder });
  // What is offered, and whether anything is configured, is told in lines alone.
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
