import type { Attack } from "../attacks.ts";

/** Input that is deep, long, or read slowly. */
export const boundsAttacks = {} as const satisfies Record<string, Attack>;
