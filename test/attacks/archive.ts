import type { Attack } from "../attacks.ts";

/** An export that somebody sent. */
export const archiveAttacks = {} as const satisfies Record<string, Attack>;
