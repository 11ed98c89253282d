export const maxResultBytes = 262_144;
export const maxFileBytes = 16_777_216;
export const fileTimeoutMs = 10_000;
export const maxGitignoreBytes = 65_536;
export const maxEntries = 100_000;
export const maxAttempts = 10;
