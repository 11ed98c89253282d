import { type Config, ConfigError } from "@incipit/host/configuration";
import { type LoadedConfig, loadConfig, type LoadOptions } from "../../config/load-config.ts";
import type { Finding } from "./finding.ts";

export interface ReadConfiguration {
  readonly config?: Config;
  readonly findings: readonly Finding[];
}

export function readConfiguration(sources: LoadOptions): ReadConfiguration {
  try {
    const loaded = loadConfig(sources);
    const config = loaded.config();
    return { config, findings: [writtenFinding(loaded, config)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { findings: error.message.split("\n").map(mistake) };
  }
}

function writtenFinding({ file, isModelNamed }: LoadedConfig, { model }: Config): Finding {
  const what = `new conversations use "${model}"`;
  if (model !== "offline/echo") return { check: "configuration", status: "ok", what, where: file };
  const isMeant = file !== undefined || isModelNamed;
  const fix = isMeant ? 'set "model", or name one with -m' : "incipit setup";
  return {
    check: "configuration",
    status: "note",
    what: `${isMeant ? "" : "there is no incipit.toml, so "}${what}, which only repeats what it was told`,
    where: file,
    fix,
  };
}

function mistake(line: string): Finding {
  const [, where, what = line] = /^(.+?:\d+): (.*)$/.exec(line) ?? [];
  const fix =
    where === undefined
      ? undefined
      : `change line ${where.slice(where.lastIndexOf(":") + 1)} of that file, then: incipit doctor`;
  return { check: "configuration", status: "wrong", what, where, fix };
}
