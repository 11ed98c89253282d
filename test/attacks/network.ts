import type { Attack } from "../attacks.ts";

/** Proxies, and where requests go. */
export const networkAttacks = {} as const satisfies Record<string, Attack>;
