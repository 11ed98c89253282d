/**
 * Pids of children that the host started and has not seen end. Module state, because children belong to the process:
 * two hosts in one process must not treat each other's as leftovers.
 */
export const startedPrograms = new Set<number>();
