/** What the host itself signs its log with; no extension has one of them as its id. */
export const hostLogSources = [
  "host",
  "kernel",
  "extensions",
  "folder-trust",
  "access-tokens",
  "programs",
] as const;
export type HostLogSource = (typeof hostLogSources)[number];
