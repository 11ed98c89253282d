import type { FsGrant, Grant, StorageGrant } from "../contract/capabilities.ts";
import { isPathWithin } from "../contract/granted-path.ts";
import { isNetEntryWithin } from "../contract/net-entry.ts";

/**
 * Returns the part of `asked` that exceeds `granted`, or `{}`. Compares paths and endpoints by containment; `true`
 * exceeds any list. To compare two versions of a manifest, pass the older one's requests as `granted`.
 */
export function grantDifference(asked: Grant, granted: Grant): Grant {
  const fs = beyond(asked.fs, granted.fs, fsBeyond);
  const spawn = beyond(asked.spawn, granted.spawn, namesBeyond);
  const net = beyond(asked.net, granted.net, endpointsBeyond);
  const env = beyond(asked.env, granted.env, namesBeyond);
  const storage = storageBeyond(asked.storage, granted.storage);
  const uses = namesBeyond(asked.uses ?? [], granted.uses);
  const provides = namesBeyond(asked.provides ?? [], granted.provides);
  const contributes = namesBeyond(asked.contributes ?? [], granted.contributes);
  const reads = namesBeyond(asked.reads ?? [], granted.reads);
  return {
    ...(fs === undefined ? {} : { fs }),
    ...(spawn === undefined ? {} : { spawn }),
    ...(net === undefined ? {} : { net }),
    ...(env === undefined ? {} : { env }),
    ...(storage === undefined ? {} : { storage }),
    ...(asked.listen === true && granted.listen !== true ? { listen: true } : {}),
    ...(asked.system === true && granted.system !== true ? { system: true } : {}),
    ...(uses === undefined ? {} : { uses }),
    ...(provides === undefined ? {} : { provides }),
    ...(contributes === undefined ? {} : { contributes }),
    ...(reads === undefined ? {} : { reads }),
  };
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
  asked: readonly string[],
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
  return { ...(read === undefined ? {} : { read }), ...(write === undefined ? {} : { write }) };
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
