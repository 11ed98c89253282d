export { ConfigError } from "@incipit/host/configuration";
export { parseConfig } from "./config/parse-config.ts";
export { createHost, type HostOptions, type RunningHost } from "./create-host.ts";
