/** Module state: two hosts in one process must not treat each other's children as leftovers. */
export const startedPrograms = new Set<number>();
