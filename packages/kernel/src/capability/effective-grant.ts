import type { FsGrant, Grant, StorageGrant } from "../contract/capabilities.ts";
import { isPathWithin } from "../contract/granted-path.ts";
import { commonNetEntry } from "../contract/net-entry.ts";

/**
 * Returns the intersection of the manifest's requests and the operator's grant: neither side widens the other; where
 * one is `true`, the other's list applies.
 */
export function effectiveGrant(declared: Grant, granted: Grant): Grant {
  const fs = narrow(declared.fs, granted.fs, narrowFs);
  const spawn = narrow(declared.spawn, granted.spawn, narrowNames);
  const net = narrow(declared.net, granted.net, narrowEndpoints);
  const env = narrow(declared.env, granted.env, narrowNames);
  const storage = narrow(declared.storage, granted.storage, narrowStorage);
  const uses = narrowContracts(declared.uses, granted.uses);
  const provides = narrowContracts(declared.provides, granted.provides);
  const contributes = narrowContracts(declared.contributes, granted.contributes);
  const reads = narrowContracts(declared.reads, granted.reads);
  return {
    ...(fs === undefined ? {} : { fs }),
    ...(spawn === undefined ? {} : { spawn }),
    ...(net === undefined ? {} : { net }),
    ...(env === undefined ? {} : { env }),
    ...(storage === undefined ? {} : { storage }),
    ...(declared.listen === true && granted.listen === true ? { listen: true } : {}),
    ...(declared.system === true && granted.system === true ? { system: true } : {}),
    ...(uses === undefined ? {} : { uses }),
    ...(provides === undefined ? {} : { provides }),
    ...(contributes === undefined ? {} : { contributes }),
    ...(reads === undefined ? {} : { reads }),
  };
}

function narrowContracts(
  declared: readonly string[] | undefined,
  granted: readonly string[] | undefined,
): readonly string[] | undefined {
  return declared === undefined || granted === undefined ? undefined : narrowNames(declared, granted);
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

/** A private address requires `private:` on both sides. */
function narrowEndpoints(declared: readonly string[], granted: readonly string[]): readonly string[] {
  const common = granted.flatMap((entry) => declared.flatMap((other) => commonNetEntry(entry, other) ?? []));
  return [...new Set(common)];
}

function narrowStorage(declared: StorageGrant, granted: StorageGrant): StorageGrant {
  const namespaces =
    declared.namespaces === undefined || granted.namespaces === undefined
      ? (declared.namespaces ?? granted.namespaces)
      : narrowNames(declared.namespaces, granted.namespaces);
  const maxBytes = Math.min(declared.maxBytes ?? Infinity, granted.maxBytes ?? Infinity);
  return { ...(namespaces === undefined ? {} : { namespaces }), ...(maxBytes === Infinity ? {} : { maxBytes }) };
}

function narrowFs(declared: FsGrant, granted: FsGrant): FsGrant {
  const read = narrowPaths(declared.read, granted.read);
  const write = narrowPaths(declared.write, granted.write);
  return { ...(read === undefined ? {} : { read }), ...(write === undefined ? {} : { write }) };
}

function narrowPaths(declared?: readonly string[], granted?: readonly string[]): readonly string[] | undefined {
  if (declared === undefined || granted === undefined) return undefined;
  const within = (paths: readonly string[], folders: readonly string[]): readonly string[] =>
    paths.filter((path) => folders.some((folder) => isPathWithin(path, folder)));
  return [...new Set([...within(granted, declared), ...within(declared, granted)])];
}
