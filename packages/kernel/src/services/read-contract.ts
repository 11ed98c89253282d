import type { Contract } from "../contract/handle.ts";

/** Reads each member of an extension's handle once: a getter could return different ids for the check and the use. */
export function readContract({ id, members, key }: Contract): Contract {
  return {
    id,
    ...(members === undefined ? {} : { members: { ...members } }),
    ...(key === undefined ? {} : { key }),
  };
}
