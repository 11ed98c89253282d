import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { ConfigError, readLayer, type ConfigLayer } from "@incipit/host/configuration-file";

/** A configuration file as it is written; its relative paths are seen from where it lies. @throws {ConfigError} */
export function readConfigFile(file: string): ConfigLayer {
  return readLayer(readText(file), { file, folder: dirname(file) });
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(`Cannot read the configuration "${file}": ${reason}`, { cause });
  }
}
