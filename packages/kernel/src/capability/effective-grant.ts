import type { FsGrant, Grant, StorageGrant } from "../contract/capabilities.ts";
import { isPathWithin } from "../contract/granted-path.ts";
import { defined } from "../contract/defined.ts";
import { commonNetEntry } from "../contract/net-entry.ts";

/**
 * Returns the intersection of the manifest's requests and the operator's grant: neither side widens the other; where
 * one is `true`, the other's list applies.
 */
export function effectiveGrant(declared: Grant, granted: Grant): Grant {
  return defined<Grant>({
    fs: narrow(declared.fs, granted.fs, narrowFs),
    spawn: narrow(declared.spawn, granted.spawn, narrowNames),
    net: narrow(declared.net, granted.net, narrowEndpoints),
    env: narrow(declared.env, granted.env, narrowNames),
    storage: narrow(declared.storage, granted.storage, narrowStorage),
    listen: declared.listen === true && granted.listen === true ? true : undefined,
    system: declared.system === true && granted.system === true ? true : undefined,
    uses: narrowContracts(declared.uses, granted.uses),
    provides: narrowContracts(declared.provides, granted.provides),
    contributes: narrowContracts(declared.contributes, granted.contributes),
    reads: narrowContracts(declared.reads, granted.reads),
  });
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
  return defined<StorageGrant>({ namespaces, maxBytes: maxBytes === Infinity ? undefined : maxBytes });
}

function narrowFs(declared: FsGrant, granted: FsGrant): FsGrant {
  return defined<FsGrant>({
    read: narrowPaths(declared.read, granted.read),
    write: narrowPaths(declared.write, granted.write),
  });
}

function narrowPaths(declared?: readonly string[], granted?: readonly string[]): readonly string[] | undefined {
  if (declared === undefined || granted === undefined) return undefined;
  const within = (paths: readonly string[], folders: readonly string[]): readonly string[] =>
    paths.filter((path) => folders.some((folder) => isPathWithin(path, folder)));
  return [...new Set([...within(granted, declared), ...within(declared, granted)])];
}
