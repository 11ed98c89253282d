import type { FsGrant, Grant, StorageGrant } from "../contract/capabilities.ts";
import { isPathWithin } from "../contract/granted-path.ts";
import { defined } from "../contract/defined.ts";
import { isNetEntryWithin } from "../contract/net-entry.ts";

/**
 * Returns the part of `asked` that exceeds `granted`, or `{}`. Compares paths and endpoints by containment; `true`
 * exceeds any list. To compare two versions of a manifest, pass the older one's requests as `granted`.
 */
export function grantDifference(asked: Grant, granted: Grant): Grant {
  return defined<Grant>({
    fs: beyond(asked.fs, granted.fs, fsBeyond),
    spawn: beyond(asked.spawn, granted.spawn, namesBeyond),
    net: beyond(asked.net, granted.net, endpointsBeyond),
    env: beyond(asked.env, granted.env, namesBeyond),
    storage: storageBeyond(asked.storage, granted.storage),
    listen: asked.listen === true && granted.listen !== true ? true : undefined,
    system: asked.system === true && granted.system !== true ? true : undefined,
    uses: namesBeyond(asked.uses, granted.uses),
    provides: namesBeyond(asked.provides, granted.provides),
    contributes: namesBeyond(asked.contributes, granted.contributes),
    reads: namesBeyond(asked.reads, granted.reads),
  });
}

function beyond<Grant>(
  asked: true | Grant | undefined,
  granted: true | Grant | undefined,
  difference: (asked: Grant, granted: Grant | undefined) => Grant | undefined,
): true | Grant | undefined {
  if (asked === undefined || granted === true) return undefined;
  return asked === true ? true : difference(asked, granted);
}

function namesBeyond(
  asked: readonly string[] = [],
  granted: readonly string[] | undefined = [],
): readonly string[] | undefined {
  return listed(asked.filter((name) => !granted.includes(name)));
}

function endpointsBeyond(
  asked: readonly string[],
  granted: readonly string[] | undefined = [],
): readonly string[] | undefined {
  return listed(asked.filter((entry) => !granted.some((other) => isNetEntryWithin(entry, other))));
}

function fsBeyond(asked: FsGrant, granted: FsGrant = {}): FsGrant | undefined {
  const read = pathsBeyond(asked.read, granted.read);
  const write = pathsBeyond(asked.write, granted.write);
  if (read === undefined && write === undefined) return undefined;
  return defined<FsGrant>({ read, write });
}

function pathsBeyond(
  asked: readonly string[] = [],
  granted: readonly string[] = [],
): readonly string[] | undefined {
  return listed(asked.filter((path) => !granted.some((folder) => isPathWithin(path, folder))));
}

/** An object without limits equals `true`. A larger `maxBytes` is a new request for all requested namespaces. */
function storageBeyond(
  asked: true | StorageGrant | undefined,
  granted: true | StorageGrant | undefined,
): true | StorageGrant | undefined {
  if (asked === undefined || granted === true) return undefined;
  const { namespaces, maxBytes = Infinity } = asked === true ? {} : asked;
  if (namespaces?.length === 0) return undefined;
  if (granted === undefined || maxBytes > (granted.maxBytes ?? Infinity)) return asked;
  if (granted.namespaces === undefined) return undefined;
  if (asked === true || namespaces === undefined) return asked;
  const others = namesBeyond(namespaces, granted.namespaces);
  return others === undefined ? undefined : { ...asked, namespaces: others };
}

function listed(names: readonly string[]): readonly string[] | undefined {
  return names.length === 0 ? undefined : names;
}
