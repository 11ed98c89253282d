/**
 * Children that the host has not seen end. Module state: two hosts in one process must not treat each other's as
 * leftovers.
 */
export const startedPrograms = new Set<number>();
