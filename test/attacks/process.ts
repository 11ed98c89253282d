import type { Attack } from "../attacks.ts";

/** Programs that tools and servers start, and what they leave running. */
export const processAttacks = {} as const satisfies Record<string, Attack>;
