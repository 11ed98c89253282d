import type { LoadedConfig } from "../../config/load-config.ts";
import type { OwnPlaces } from "../../config/own-places.ts";
import type { Output } from "../output/output.ts";
import type { CommandLine } from "../registry/parse-command-line.ts";
import type { Connection, HostAccess, HostStart } from "../registry/host-access.ts";

/** Loads code only as a command needs it: a host's code would dominate the run time of most commands. */
export function hostAccess(
  { command, args }: Omit<CommandLine, "words">,
  { output, closing }: { readonly output: Output; readonly closing: AsyncDisposableStack },
): HostAccess {
  const sources = { cwd: process.cwd(), env: process.env };
  let loaded: LoadedConfig | undefined;
  let settled: ReturnType<HostStart["config"]> | undefined;
  const load = async (): Promise<LoadedConfig> => {
    const { loadConfig } = await import("../../config/load-config.ts");
    // The host that answers may know other models than this file. An in-process host needs that model's provider.
    const flags = { ...args, model: args.modelOfNew };
    return (loaded ??= loadConfig({ ...sources, named: [args.model ?? []].flat(), flags }));
  };
  const config: HostStart["config"] = async () => {
    const { hostConfig } = await import("./host-config.ts");
    return (settled ??= load().then((found) => hostConfig(found, { cwd: process.cwd(), output })));
  };
  const start: HostAccess["start"] = async () => {
    const { dataFolder, userFolder, offered, file, isModelNamed } = await load();
    const { workingFolder } = await import("../arguments/working-folder.ts");
    const { refuseDataFolder } = await import("../arguments/refuse-data-folder.ts");
    const given = args.cwd ?? args.cwdOfLast ?? args.cwdOfNew;
    const cwd = workingFolder({ cwd: given });
    await refuseDataFolder(command.name, { isNamed: given !== undefined, cwd, dataFolder });
    return {
      dataFolder,
      userFolder,
      offered,
      cwd,
      isUnconfigured: file === undefined && !isModelNamed && args.model === undefined,
      config,
    };
  };
  const open: HostAccess["open"] = async (options = {}) => {
    const { connect } = await import("./connection.ts");
    const { cwd, ...started } = await start();
    return connect(started, { cwd, err: output.err, ...options });
  };
  let connection: Connection | undefined;
  const connect: HostAccess["connect"] = async (options) => {
    connection ??= closing.use(await open(options));
    return connection;
  };
  return {
    async places(): Promise<OwnPlaces> {
      const { ownPlaces } = await import("../../config/own-places.ts");
      return ownPlaces({ ...sources, flags: args });
    },
    load,
    start,
    config,
    open,
    connect,
    client: async () => (await connect()).client,
  };
}
