import {
  parseConfig as parseAny,
  type Config,
  type Override,
  type ParseOptions,
} from "@incipit/host/configuration";
import { coreSchema } from "./core-schema.ts";

export function parseConfig(
  text: string,
  file: string,
  options: Omit<ParseOptions, "schema"> & { readonly overrides?: readonly Override[] } = {},
): Config {
  return parseAny(text, file, { ...options, schema: coreSchema });
}
