/**
 * Whether this is the file that `bun run build` makes, which has a name of its own and knows of no checkout: what is in it
 * lies in a folder that is nowhere on disk, on Windows on a drive of its own.
 */
export const isBuiltFile: boolean = /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/.test(import.meta.path);
