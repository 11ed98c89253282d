/**
 * Process ids of what the host has started and not yet seen end. In the module, and not in an object of each host: a process
 * has one set of children, and two hosts in it must not take each other's for leftovers.
 */
export const startedPrograms = new Set<number>();
