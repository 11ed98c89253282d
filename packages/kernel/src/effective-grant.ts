import type { Capabilities, FsGrant } from "./capabilities.ts";

/**
 * What an extension gets: what its manifest declares, as far as the operator granted it. Neither side can widen the
 * other; where one says `true`, the other one's list holds.
 */
export function effectiveGrant(declared: Capabilities, granted: Capabilities): Capabilities {
  const fs = narrow(declared.fs, granted.fs, narrowFs);
  const spawn = narrow(declared.spawn, granted.spawn, narrowNames);
  const net = narrow(declared.net, granted.net, narrowEndpoints);
  const env = narrow(declared.env, granted.env, narrowNames);
  return {
    ...(fs === undefined ? {} : { fs }),
    ...(spawn === undefined ? {} : { spawn }),
    ...(net === undefined ? {} : { net }),
    ...(env === undefined ? {} : { env }),
    ...(declared.storage === true && granted.storage === true ? { storage: true } : {}),
    ...(declared.listen === true && granted.listen === true ? { listen: true } : {}),
  };
}

function narrow<Grant>(
  declared: true | Grant | undefined,
  granted: true | Grant | undefined,
  narrowLists: (declared: Grant, granted: Grant) => Grant,
): true | Grant | undefined {
  if (declared === undefined || granted === undefined) return undefined;
  if (declared === true) return granted;
  return granted === true ? declared : narrowLists(declared, granted);
}

function narrowNames(declared: readonly string[], granted: readonly string[]): readonly string[] {
  return granted.filter((name) => declared.includes(name));
}

/** Host names are the same in upper and lower case. */
function narrowEndpoints(declared: readonly string[], granted: readonly string[]): readonly string[] {
  const endpoints = new Set(declared.map((endpoint) => endpoint.toLowerCase()));
  return granted.filter((endpoint) => endpoints.has(endpoint.toLowerCase()));
}

function narrowFs(declared: FsGrant, granted: FsGrant): FsGrant {
  const read = narrowPaths(declared.read, granted.read);
  const write = narrowPaths(declared.write, granted.write);
  return { ...(read === undefined ? {} : { read }), ...(write === undefined ? {} : { write }) };
}

function narrowPaths(declared?: readonly string[], granted?: readonly string[]): readonly string[] | undefined {
  if (declared === undefined || granted === undefined) return undefined;
  const within = (paths: readonly string[], folders: readonly string[]): readonly string[] =>
    paths.filter((path) => folders.some((folder) => isWithin(path, folder)));
  return [...new Set([...within(granted, declared), ...within(declared, granted)])];
}

/** By their names alone: where links lead is for the driver to judge, and `..` leads nowhere that is known here. */
function isWithin(path: string, folder: string): boolean {
  const parts = partsOf(path);
  const folderParts = partsOf(folder);
  if (parts.includes("..") || folderParts.includes("..")) return path === folder;
  return folderParts.every((part, index) => part === parts[index]);
}

/** The first part is `$cwd`, or empty for an absolute path. */
function partsOf(path: string): readonly string[] {
  return path.split("/").filter((part, index) => index === 0 || (part !== "" && part !== "."));
}
