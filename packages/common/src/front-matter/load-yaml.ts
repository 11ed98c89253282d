import type * as YamlReader from "./read-yaml.ts";

/** Loads the YAML parser on demand: most files have only plain keys and values. */
export async function loadYaml(): Promise<typeof YamlReader> {
  return import("./read-yaml.ts");
}
