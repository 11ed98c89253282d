export { ConfigError } from "./config/config-error.ts";
export { parseConfig } from "./config/parse-config.ts";
export { createHost, HostStartError, type HostOptions, type RunningHost } from "./create-host.ts";
export {
  readExtensionFolder,
  type ExtensionFolder,
  type ReadOptions,
} from "./extension-folder/read-extension-folder.ts";
