/** What one result may hold; the end of what does not fit is cut, and the result says so. */
export const maxResultBytes = 262_144;
/** Largest file that is read or changed. */
export const maxFileBytes = 16_777_216;
/** Longest wait for one file or folder. */
export const fileTimeoutMs = 10_000;
/** Largest `.gitignore` that counts. */
export const maxGitignoreBytes = 65_536;
/** Most entries of one folder that are looked at: what goes beyond it is told of as something that could not be read. */
export const maxEntries = 100_000;
/** How often a change is made anew on what somebody else has just written. */
export const maxAttempts = 10;
