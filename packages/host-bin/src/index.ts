export { ConfigError } from "./config/config-error.ts";
export { parseConfig } from "./config/parse-config.ts";
export { createHost, HostStartError, type HostOptions, type RunningHost } from "./create-host.ts";
