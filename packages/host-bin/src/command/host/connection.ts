import { createClient, type Client } from "@incipit/transport-contract";
import { type Config, originKey } from "@incipit/host/configuration";
import { DataFolder, DataFolderHeld } from "@incipit/host/data-folder";
import type { OfferedVendor } from "../../config/known-vendors.ts";
import { clientOf } from "./client-of.ts";
import { coreSchema } from "../../config/core-schema.ts";

/** Longest wait for a host that is starting or ending. */
const settleTimeoutMs = 10_000;
const pollMs = 20;

export interface Connection extends AsyncDisposable {
  readonly client: Client;
  /** Data folder of its host; absolute. */
  readonly dataFolder: string;
  /** The host is in this process, and ends with the connection. */
  readonly isInside: boolean;
  /** What the host inside has by keys of the environment; of another one nothing is known. */
  readonly offered: readonly OfferedVendor[];
  /** Whoever calls the command has no configuration, and named no model. */
  readonly isUnconfigured: boolean;
}

/** What a command starts a host with. */
export interface HostStart {
  /** Absolute. */
  readonly dataFolder: string;
  /** Where the user's own files are; absolute. */
  readonly userFolder: string;
  /** As those of `Connection`. */
  readonly isUnconfigured: boolean;
  readonly offered: readonly OfferedVendor[];
  /** Settled when a host is to start, and once: somebody may be asked. */
  readonly config: () => Promise<Config>;
}

export interface ConnectOptions {
  /** Working folder of conversations that name none; absolute. */
  readonly cwd: string;
  readonly err: (text: string) => void;
}

/**
 * The host that runs on the data folder; where none does, one inside this process, for as long as the command takes and
 * others that have found it are being answered.
 * @throws {DataFolderHeld} when a host neither gets ready nor ends, or has no HTTP API.
 */
export async function connect(start: HostStart, options: ConnectOptions): Promise<Connection> {
  const { dataFolder } = start;
  const deadlineMs = performance.now() + settleTimeoutMs;
  for (;;) {
    const state = DataFolder.look(dataFolder);
    if (state.kind === "held" && state.holder !== undefined) {
      const client = clientOf(state.holder, dataFolder);
      if (client === undefined) throw new DataFolderHeld(dataFolder, state.holder);
      const { isUnconfigured } = start;
      return {
        client,
        dataFolder,
        isInside: false,
        isUnconfigured,
        offered: [],
        [Symbol.asyncDispose]: async () => {},
      };
    }
    try {
      if (state.kind === "free") return await startInside(start, options);
    } catch (error) {
      // Another command was faster: its host is the one to talk to.
      if (!(error instanceof DataFolderHeld) || performance.now() > deadlineMs) throw error;
    }
    if (performance.now() > deadlineMs) throw new DataFolderHeld(dataFolder, undefined);
    await Bun.sleep(pollMs);
  }
}

/** Loaded when it is needed: a command that has a host to talk to does not wait for all of its code. */
async function startInside(start: HostStart, options: ConnectOptions): Promise<Connection> {
  const config = await start.config();
  const { createHost } = await import("../../create-host.ts");
  const { Configured } = await import("@incipit/host/configuration");
  const { variablesOfProxies } = await import("@incipit/host/configuration");
  const { handleUncaught } = await import("./uncaught.ts");
  const host = await createHost({
    config: {
      ...config,
      listen: { host: "127.0.0.1", port: 0, allowed_hosts: [], allowed_origins: [] },
      [originKey]: config[originKey],
    },
    dataFolder: start.dataFolder,
    cwd: options.cwd,
    userFolder: start.userFolder,
    env: { ...process.env },
    logLevel: "warn",
    writeLog: options.err,
    catchUncaught: (attribute, redact) => handleUncaught(attribute, { err: options.err, redact }),
  });
  const { hideProcess } = await import("@incipit/host/hide-process");
  const configured = new Configured(config, coreSchema.extensions);
  hideProcess([...configured.secretVariables(), ...variablesOfProxies(configured, process.env)]);
  const { dataFolder } = start;
  return {
    client: createClient(host),
    dataFolder,
    isInside: true,
    isUnconfigured: start.isUnconfigured,
    offered: start.offered,
    [Symbol.asyncDispose]: () => host.closeWhenIdle(),
  };
}
