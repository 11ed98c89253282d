import { type Config, ConfigError, Configured } from "@incipit/host/configuration";
import { Redactor } from "@incipit/redaction";
import { existsSync } from "node:fs";
import { configuredSecrets } from "../../config/configured-secrets.ts";
import { coreSchema } from "../../config/core-schema.ts";
import { ownPlaces } from "../../config/own-places.ts";
import type { Call } from "../registry/command.ts";
import { isBuiltFile } from "../output/built-file.ts";
import type { Output } from "../output/output.ts";
import { version } from "../../version.ts";
import { folderExtensionFindings } from "./extension-findings.ts";
import type { Finding } from "./finding.ts";
import { programFindings, trustFindings } from "./folder-findings.ts";
import { hostFindings, storageFindings } from "./host-findings.ts";
import { modelFindings } from "./model-findings.ts";
import { permissionFindings } from "./permission-findings.ts";
import { providerFindings } from "./provider-findings.ts";
import { loadConfig, type LoadedConfig, type LoadOptions } from "../../config/load-config.ts";

export async function doctor({ args, output }: Call<[], "model">): Promise<number> {
  const cwd = process.cwd();
  const env = { ...process.env };
  const flags = { ...args, model: undefined };
  const named = args.model === undefined ? [] : [args.model];
  const { config, findings: ofConfiguration } = readConfiguration({ cwd, env, named, flags });
  const { configFile, dataFolder } = ownPlaces({ cwd, env, flags });
  const file = existsSync(configFile) ? configFile : undefined;
  const findings = [
    versions(),
    ...ofConfiguration,
    ...(config === undefined ? [] : modelFindings(config, { named: args.model, file, env })),
    ...permissionFindings({ dataFolder, file }),
    ...(config === undefined ? [] : await providerFindings(config, { env, hasFile: file !== undefined })),
    ...storageFindings(dataFolder),
    ...(await hostFindings(dataFolder, config)),
    ...(config === undefined ? [] : await folderExtensionFindings(dataFolder, config)),
    ...(config === undefined ? [] : programFindings(config, { env })),
    ...trustFindings({ cwd, dataFolder, file }),
  ];
  const redact = redactorOf(config, env);
  for (const finding of findings.map((one) => withoutSecrets(one, redact))) {
    if (args.isJson) output.outLine(JSON.stringify(finding));
    else show(finding, output);
  }
  const wrong = findings.filter(({ status }) => status === "wrong").length;
  if (!args.isJson)
    output.errLine(wrong === 0 ? "Nothing is wrong" : `${wrong} ${wrong === 1 ? "thing is" : "things are"} wrong`);
  return wrong === 0 ? 0 : 1;
}

function redactorOf(
  config: Config | undefined,
  env: Readonly<Record<string, string | undefined>>,
): (text: string) => string {
  if (config === undefined) return (text) => text;
  const redactor = Redactor.ofValues(configuredSecrets(new Configured(config, coreSchema.extensions), env));
  return (text) => redactor.redact(text);
}

function withoutSecrets({ what, where, fix, ...same }: Finding, redact: (text: string) => string): Finding {
  return {
    ...same,
    what: redact(what),
    ...(where === undefined ? {} : { where: redact(where) }),
    ...(fix === undefined ? {} : { fix: redact(fix) }),
  };
}

function versions(): Finding {
  const what = `incipit ${version}, Bun ${Bun.version}, ${process.platform} ${process.arch}`;
  return { check: "versions", status: "ok", what, where: isBuiltFile ? process.execPath : import.meta.dir };
}

const marks = { ok: "ok", note: "note", wrong: "WRONG" } as const;
const indent = " ".repeat(7);

function show({ check, status, what, where, fix }: Finding, { outRow, isScreen, width }: Output): void {
  outRow(`${marks[status].padEnd(7)}${check}: ${what}`, indent.length);
  if (where !== undefined) {
    const row = `${indent}at ${where}`;
    outRow(isScreen && Bun.stringWidth(row) > width ? `${indent}${where}` : row, indent.length);
  }
  if (fix !== undefined) outRow(`${indent}-> ${fix}`, indent.length + "-> ".length);
}

interface ReadConfiguration {
  readonly config?: Config;
  readonly findings: readonly Finding[];
}

function readConfiguration(sources: LoadOptions): ReadConfiguration {
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
