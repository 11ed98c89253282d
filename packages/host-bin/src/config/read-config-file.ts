import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { ConfigError, configText, readLayer, type ConfigLayer } from "@incipit/host/configuration-file";

export function readConfigFile(file: string): ConfigLayer {
  return readLayer(configText(readBytes(file), file), { file, folder: dirname(file) });
}

function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(`Cannot read the configuration "${file}": ${reason}`, { cause });
  }
}
