import { createKernel, type Drivers, type Extension, type Kernel } from "@incipit/kernel";
import { httpEndpointHandle } from "@incipit/service-contract";
import type { Config } from "./config/config-schema.ts";
import { CORE_EXTENSIONS } from "./core-extensions.ts";
import { DataFolder } from "./data-folder.ts";
import { systemClock } from "./drivers/clock.ts";
import { createEnvironment } from "./drivers/environment.ts";
import { createFileSystem } from "./drivers/file-system.ts";
import { createListen } from "./drivers/listen.ts";
import { createLog, type LogLevel } from "./drivers/log.ts";
import { createNet } from "./drivers/net.ts";
import { createSpawn } from "./drivers/spawn.ts";
import { extensionGrants, extensionSettings, keyVariables } from "./extension-settings.ts";

export interface HostOptions {
  readonly config: Config;
  /** Absolute. */
  readonly dataFolder: string;
  /** Working folder of conversations that name none; absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly writeLog: (line: string) => void;
  readonly logLevel?: LogLevel;
  /** Extensions beside the built-in ones. */
  readonly extensions?: readonly Extension[];
}

export interface RunningHost extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly kernel: Kernel;
  /** Running turns end as `interrupted`, streams with their last event; then everything stops, dependants first. */
  close(): Promise<void>;
}

/** Something that the host cannot run without did not start. */
export class HostStartError extends Error {
  override readonly name = "HostStartError";
}

/**
 * Puts a host together: the only place that knows every extension and every driver.
 * @throws {DataFolderHeld} when another host has the data folder; {HostStartError} when storage or HTTP did not start.
 */
export async function createHost(options: HostOptions): Promise<RunningHost> {
  const { config, env } = options;
  const folder = DataFolder.open(options.dataFolder);
  const kernel = createKernel({ drivers: createDrivers(options, folder) });
  const grants = extensionGrants(config);
  try {
    await kernel.add(
      [...CORE_EXTENSIONS, ...(options.extensions ?? [])].map((extension) => {
        const grant = grants.get(extension.manifest.id);
        const isDisabled = config.extensions.disabled.includes(extension.manifest.id);
        return { extension, isDisabled, ...(grant === undefined ? {} : { grant }) };
      }),
    );
    const endpoint = kernel.service(httpEndpointHandle);
    if (endpoint === undefined) throw startError(kernel);
    folder.announce(endpoint.url, systemClock.now());
    warnOfMissingKeys(config, env, options.writeLog);
    const close = async (): Promise<void> => {
      // Turns end first, while the streams that show their end are still open.
      await kernel.unload("session-orchestrator");
      await kernel.close();
      folder[Symbol.dispose]();
    };
    return { url: endpoint.url, token: folder.token, kernel, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await kernel.close();
    folder[Symbol.dispose]();
    throw error;
  }
}

function createDrivers(
  { config, cwd, env, writeLog, logLevel = "info" }: HostOptions,
  folder: DataFolder,
): Drivers {
  const settings = extensionSettings({ config, databasePath: folder.databasePath, token: folder.token, cwd });
  const secrets = [folder.token, ...keyVariables(config).flatMap((name) => env[name] ?? [])];
  const clock = systemClock;
  const listen = createListen(clock);
  return {
    clock,
    fs: (extension, grant) => createFileSystem(extension, grant, clock),
    spawn: (extension, grant) => createSpawn(extension, grant, { clock, env }),
    net: (extension, grant) => createNet(extension, grant, clock),
    env: (extension, grant) => createEnvironment(extension, grant, env),
    listen: () => listen,
    log: (extension) => createLog(extension, { write: writeLog, minLevel: logLevel, clock, secrets }),
    config: (extension) => settings.get(extension) ?? {},
  };
}

function startError(kernel: Kernel): HostStartError {
  const failed = kernel.list().filter(({ phase }) => phase === "failed");
  const reasons = failed.map(({ lastError }) => lastError?.message ?? "no reason is known");
  const isHttpDisabled = kernel.list().some(({ id, phase }) => id === "transport-http" && phase === "stopped");
  if (isHttpDisabled)
    return new HostStartError(
      'Without "transport-http" nobody can use the host; take it out of extensions.disabled',
    );
  return new HostStartError(reasons.join("\n") || "The host did not start, and no extension says why");
}

function warnOfMissingKeys(config: Config, env: HostOptions["env"], writeLog: HostOptions["writeLog"]): void {
  const missing = keyVariables(config).filter((name) => (env[name] ?? "") === "");
  for (const name of new Set(missing))
    writeLog(`The variable ${name} is not set: calls of its provider will fail until it is\n`);
}
