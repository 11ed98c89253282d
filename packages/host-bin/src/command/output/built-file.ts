/** Bun puts embedded files in a virtual folder, on Windows on a virtual drive. */
export const isBuiltFile: boolean = /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/.test(import.meta.path);
