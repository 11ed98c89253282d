import type { Drivers, Log, Net, Spawn } from "@incipit/kernel";
import { realpathSync } from "node:fs";
import type { DataFolder } from "../data-folder/data-folder.ts";
import { systemClock } from "../drivers/clock.ts";
import { createEnvironment } from "../drivers/environment.ts";
import { ClosedFolder } from "../drivers/files/closed-folder.ts";
import { createFileSystem } from "../drivers/files/file-system.ts";
import { PathQueue } from "../drivers/files/write-file.ts";
import { OpenFetches } from "../drivers/net/open-fetches.ts";
import type { ListenDriver } from "../drivers/listen.ts";
import type { HostLogSource } from "../drivers/log-sources.ts";
import { Programs } from "../drivers/programs/programs.ts";
import type { KnownSecrets } from "../secrets/known-secrets.ts";
import type { BuiltInExtension, HostFacts, HostOptions } from "./host-options.ts";
import type { createNet } from "../drivers/net/net.ts";
import type { createSpawn } from "../drivers/programs/spawn.ts";

interface Started {
  readonly folder: DataFolder;
  readonly listen: ListenDriver;
  readonly secrets: KnownSecrets;
  readonly logOf: (source: string) => Log;
  readonly builtIn: readonly BuiltInExtension[];
  readonly added: ReadonlyMap<string, unknown>;
}

export function hostDrivers(
  options: HostOptions,
  { folder, listen, secrets, logOf, builtIn, added }: Started,
): Drivers {
  const { env = {}, proxies, areProgramsConfined: isConfined = true } = options;
  const byId = new Map(builtIn.map((one) => [one.extension.manifest.id, one]));
  const clock = systemClock;
  const queue = new PathQueue();
  const fetches = new OpenFetches(process.env);
  const dataFolder = realpathSync(folder.path);
  const closed = new ClosedFolder(dataFolder);
  const hostLogOf: (source: HostLogSource) => Log = logOf;
  const programs = new Programs({ dataFolder, isConfined, log: hostLogOf("programs") });
  let known: HostFacts | undefined;
  const facts = (): HostFacts => {
    const { values } = secrets;
    const { databasePath, token } = folder;
    if (known?.secrets !== values) known = { databasePath, token, secrets: values };
    return known;
  };
  return {
    clock,
    fs: (extension, grant) => createFileSystem(extension, grant, { clock, queue, closed }),
    spawn: (extension, grant) =>
      spawnAtFirstUse(extension, grant, {
        clock,
        env,
        programs: byId.get(extension)?.startsProgramsDirectly === true ? undefined : programs,
      }),
    net: (extension, grant) =>
      netAtFirstUse(extension, grant, clock, { env, proxies: proxies?.(extension) ?? {}, fetches }),
    env: (extension, grant) =>
      createEnvironment(extension, grant, {
        variables: env,
        onGiven: (name, value) => secrets.addVariable(name, value),
      }),
    listen: (extension) => listen.of(extension),
    log: logOf,
    config: (extension) => byId.get(extension)?.settings?.(facts()) ?? added.get(extension) ?? {},
  };
}

/** Keeps the start fast. */
function netAtFirstUse(...options: Parameters<typeof createNet>): Net {
  const driver = once(async () => (await import("../drivers/net/net.ts")).createNet(...options));
  return {
    fetch: async (url, fetchOptions) => (await driver()).fetch(url, fetchOptions),
    webSocket: async (url, socketOptions) => (await driver()).webSocket(url, socketOptions),
  };
}

function spawnAtFirstUse(...options: Parameters<typeof createSpawn>): Spawn {
  const driver = once(async () => (await import("../drivers/programs/spawn.ts")).createSpawn(...options));
  return {
    run: async (program, args, runOptions) => (await driver()).run(program, args, runOptions),
    start: async (program, args, startOptions) => (await driver()).start(program, args, startOptions),
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}
