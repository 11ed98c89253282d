/** Whether this is the file that `bun run build` makes, which has a name of its own and knows of no checkout. */
export const isBuiltFile: boolean = import.meta.path.startsWith("/$bunfs/");
