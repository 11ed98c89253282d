import type { Attack } from "../attacks.ts";

/** Keys in other spellings, in what is kept and shown. */
export const secretsAttacks = {} as const satisfies Record<string, Attack>;
