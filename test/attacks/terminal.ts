import type { Attack } from "../attacks.ts";

/** What vendors, models, files and extensions have printed. */
export const terminalAttacks = {} as const satisfies Record<string, Attack>;
