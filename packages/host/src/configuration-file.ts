export { ConfigError } from "./configuration/config-error.ts";
export { configText } from "./configuration/config-text.ts";
export { readLayer, valueAt, withValue, type ConfigLayer } from "./configuration/config-layer.ts";
export type { Override } from "./configuration/origin.ts";
export { terminalSettings, type TerminalSettings } from "./configuration/terminal-settings.ts";
