export { ConfigError } from "./config/config-error.ts";
export { parseConfig } from "./config/parse-config.ts";
export { createHost, type HostOptions, type RunningHost } from "./create-host.ts";
