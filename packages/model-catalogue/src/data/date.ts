// Made by "bun run catalogue"; what is wrong here is mended there.
/** The day on which the newest of the data was published or read. */
export const catalogueDate = "2026-11-29";
