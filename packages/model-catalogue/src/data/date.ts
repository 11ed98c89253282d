// Made by "bun run catalogue"; what is wrong here is mended there.
/** Publication or access date of the newest data. */
export const catalogueDate = "2026-11-29";
