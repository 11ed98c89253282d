import type { Attack } from "../attacks.ts";

/** Ways to the token, the database, grants, trust, records and logs. */
export const dataFolderAttacks = {} as const satisfies Record<string, Attack>;
