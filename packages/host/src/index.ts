export { weakSecrets } from "./configuration/weak-secrets.ts";
export { hostLogSources, type HostLogSource } from "./drivers/log-sources.ts";
export type { LogLevel } from "./drivers/log.ts";
export { createHost, type RunningHost } from "./start/create-host.ts";
export type { BuiltInExtension, GivenDefaults, HostFacts, HostOptions } from "./start/host-options.ts";
export { HostStartError } from "./start/create-host.ts";
