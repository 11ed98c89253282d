import type {
  Capabilities,
  CapabilityName,
  Environment,
  FileSystem,
  Listen,
  Net,
  Spawn,
} from "../contract/capabilities.ts";
import type { Drivers } from "../contract/kernel.ts";
import { KernelError } from "../failures/kernel-error.ts";
import type { OpenListeners } from "./open-listeners.ts";
import type { OpenSockets } from "./open-sockets.ts";
import type { RunningPrograms } from "./running-programs.ts";

export interface Powers {
  readonly fs: FileSystem;
  readonly spawn: Spawn;
  readonly net: Net;
  readonly env: Environment;
  readonly listen: Listen;
}

export interface GateOptions {
  readonly extension: string;
  readonly declared: Capabilities;
  readonly granted: Capabilities;
}

export function capabilityDenied(options: GateOptions, capability: CapabilityName, asked: string): KernelError {
  const { extension, declared } = options;
  const isDeclared = declared[capability] !== undefined;
  const names = Object.keys(declared);
  const why = isDeclared
    ? `its manifest declares "${capability}", which is not granted; grant it`
    : `its manifest declares ${names.length === 0 ? "no capability" : names.map((name) => `"${name}"`).join(", ")}; declare "${capability}"`;
  return new KernelError("CAPABILITY_DENIED", `Cannot ${asked} for "${extension}": ${why}`, { extension });
}

/** Members without a grant throw `CAPABILITY_DENIED` when used. */
export function createPowers(drivers: Drivers, options: GateOptions): Powers {
  const { extension, granted } = options;
  const deny = (capability: CapabilityName, asked: string): KernelError =>
    capabilityDenied(options, capability, asked);
  return {
    fs:
      granted.fs === undefined
        ? {
            readFile: (path) => Promise.reject(deny("fs", `read "${path}"`)),
            list: (path) => Promise.reject(deny("fs", `list "${path}"`)),
            readFolder: (path) => Promise.reject(deny("fs", `read "${path}"`)),
            locate: (path) => Promise.reject(deny("fs", `locate "${path}"`)),
            writeFile: (path) => Promise.reject(deny("fs", `write "${path}"`)),
            removeFile: (path) => Promise.reject(deny("fs", `remove "${path}"`)),
          }
        : drivers.fs(extension, granted.fs),
    spawn:
      granted.spawn === undefined
        ? {
            run: (program) => Promise.reject(deny("spawn", `spawn "${program}"`)),
            start: (program) => Promise.reject(deny("spawn", `spawn "${program}"`)),
          }
        : drivers.spawn(extension, granted.spawn),
    net:
      granted.net === undefined
        ? {
            fetch: (url) => Promise.reject(deny("net", `fetch "${originOf(url)}"`)),
            webSocket: (url) => Promise.reject(deny("net", `open a socket to "${originOf(url)}"`)),
          }
        : drivers.net(extension, granted.net),
    env:
      granted.env === undefined
        ? {
            get: (name) => {
              throw deny("env", `read variable "${name}"`);
            },
          }
        : drivers.env(extension, granted.env),
    listen:
      granted.listen === undefined
        ? { http: ({ host, port }) => Promise.reject(deny("listen", `listen on "${host}:${port}"`)) }
        : drivers.listen(extension),
  };
}

export interface GuardOptions {
  /** @throws when the activation has ended. */
  readonly assertOpen: () => void;
  /** Receives every error that a capability throws. */
  readonly onRefusal: (error: unknown) => void;
  readonly programs: RunningPrograms;
  readonly listeners: OpenListeners;
  readonly sockets: OpenSockets;
}

/** They stop working after the activation, even for code that keeps `host`. */
export function powersWhile({ fs, spawn, net, env, listen }: Powers, options: GuardOptions): Powers {
  const { assertOpen, onRefusal, programs, listeners, sockets } = options;
  const guarded = async <Result>(use: () => Promise<Result>): Promise<Result> => {
    assertOpen();
    try {
      return await use();
    } catch (error) {
      onRefusal(error);
      throw error;
    }
  };
  return {
    fs: {
      readFile: (path, readOptions) => guarded(() => fs.readFile(path, readOptions)),
      list: (path, listOptions) => guarded(() => fs.list(path, listOptions)),
      readFolder: (path, readOptions) => guarded(() => fs.readFolder(path, readOptions)),
      locate: (path, locateOptions) => guarded(() => fs.locate(path, locateOptions)),
      writeFile: (path, bytes, writeOptions) => guarded(() => fs.writeFile(path, bytes, writeOptions)),
      removeFile: (path, removeOptions) => guarded(() => fs.removeFile(path, removeOptions)),
    },
    spawn: {
      run: (program, args, spawnOptions) =>
        guarded(() =>
          programs.run((signal) => spawn.run(program, args, { ...spawnOptions, signal }), spawnOptions.signal),
        ),
      start: (program, args, startOptions) =>
        guarded(async () => programs.keep(await spawn.start(program, args, startOptions))),
    },
    net: {
      fetch: (url, fetchOptions) => guarded(() => net.fetch(url, fetchOptions)),
      webSocket: (url, socketOptions) =>
        guarded(() =>
          sockets.open((signal) => net.webSocket(url, { ...socketOptions, signal }), socketOptions?.signal),
        ),
    },
    env: {
      get: (name) => {
        assertOpen();
        try {
          return env.get(name);
        } catch (error) {
          onRefusal(error);
          throw error;
        }
      },
    },
    listen: {
      http: (listenOptions) => guarded(async () => listeners.keep(await listen.http(listenOptions))),
    },
  };
}

/** Omits path and query, which may contain a secret. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "an invalid URL";
}
