import type { Attack } from "../attacks.ts";

/** An extension that asks for nothing, or for little. */
export const extensionAttacks = {} as const satisfies Record<string, Attack>;
