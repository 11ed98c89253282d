import type { Attack } from "../attacks.ts";

/** Texts of a folder that nobody trusts yet. */
export const provenanceAttacks = {} as const satisfies Record<string, Attack>;
