/** Largest tool result; a cut result has a note. */
export const maxResultBytes = 262_144;
/** Largest file read or changed. */
export const maxFileBytes = 16_777_216;
/** Timeout per file or folder. */
export const fileTimeoutMs = 10_000;
/** Largest `.gitignore` that is used. */
export const maxGitignoreBytes = 65_536;
/** Most entries read per folder; the rest is reported as unreadable. */
export const maxEntries = 100_000;
/** Most retries of a change on concurrent writes. */
export const maxAttempts = 10;
