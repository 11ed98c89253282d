// Made by "bun run catalogue"; what is wrong here is mended there.
/** When the newest of the data was published. */
export const catalogueDate = "2026-11-10";
