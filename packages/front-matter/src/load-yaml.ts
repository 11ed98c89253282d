import type * as YamlReader from "./read-yaml.ts";

/** Loads the parser when a file needs it: most begin with keys and plain texts. */
export async function loadYaml(): Promise<typeof YamlReader> {
  return import("./read-yaml.ts");
}
