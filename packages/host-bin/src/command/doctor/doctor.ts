import { type Config, Configured } from "@incipit/host/configuration";
import { Redactor } from "@incipit/redaction";
import { existsSync } from "node:fs";
import { configuredSecrets } from "../../config/configured-secrets.ts";
import { coreSchema } from "../../config/core-schema.ts";
import { ownPlaces } from "../../config/own-places.ts";
import type { Call } from "../registry/command.ts";
import { isBuiltFile } from "../output/built-file.ts";
import type { Output } from "../output/output.ts";
import { version } from "../../version.ts";
import { readConfiguration } from "./configuration-findings.ts";
import { folderExtensionFindings } from "./extension-findings.ts";
import type { Finding } from "./finding.ts";
import { programFindings, trustFindings } from "./folder-findings.ts";
import { hostFindings, storageFindings } from "./host-findings.ts";
import { modelFindings } from "./model-findings.ts";
import { permissionFindings } from "./permission-findings.ts";
import { providerFindings } from "./provider-findings.ts";

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
