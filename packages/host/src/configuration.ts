export { allowAnyExtension, type AddedExtensions } from "./configuration/added-extensions.ts";
export { AddedSettings } from "./configuration/added-settings.ts";
export { ConfigError } from "./configuration/config-error.ts";
export {
  isTable,
  readLayer,
  tomlText,
  valueAt,
  withValue,
  type ConfigLayer,
  type Table,
} from "./configuration/config-layer.ts";
export { ConfigSchema, type Config } from "./configuration/config-schema.ts";
export { Configured } from "./configuration/configured.ts";
export { mergeLayers } from "./configuration/merge-layers.ts";
export { byDefault, originKey, placeOfKey, type Override } from "./configuration/origin.ts";
export {
  checkedConfig,
  parseConfig,
  type ParsedLayers,
  parseLayers,
  type ParseOptions,
} from "./configuration/parse-config.ts";
export { isFilePath } from "./configuration/prompt-path-problems.ts";
export { proxiesOf, secretsOfProxies, variablesOfProxies } from "./configuration/proxy-settings.ts";
export { reservedNames, reservedTools } from "./configuration/reserved-names.ts";
