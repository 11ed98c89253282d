export const hostLogSources = [
  "host",
  "kernel",
  "extensions",
  "folder-trust",
  "access-tokens",
  "programs",
] as const;
export type HostLogSource = (typeof hostLogSources)[number];
