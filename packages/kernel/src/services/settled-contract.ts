import type { Contract } from "../contract/handle.ts";

/** What an extension brings as a handle or a point, each member read once: a getter could give another id when it is judged than when it is used. */
export function settledContract({ id, members, key }: Contract): Contract {
  return {
    id,
    ...(members === undefined ? {} : { members: { ...members } }),
    ...(key === undefined ? {} : { key }),
  };
}
