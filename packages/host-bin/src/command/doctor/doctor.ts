import type { Arguments } from "../arguments/arguments.ts";
import { isBuiltFile } from "../output/built-file.ts";
import type { Output } from "../output/output.ts";
import { version } from "../../version.ts";
import { readConfiguration } from "./configuration-findings.ts";
import type { Finding } from "./finding.ts";
import { programFindings, trustFindings } from "./folder-findings.ts";
import { hostFindings, storageFindings } from "./host-findings.ts";
import { permissionFindings } from "./permission-findings.ts";
import { providerFindings } from "./provider-findings.ts";

/** `doctor`: looks at everything that a host needs, changes nothing, and says what mends what is wrong. The result is the exit code. */
export async function doctor(args: Arguments, output: Output): Promise<number> {
  const cwd = process.cwd();
  const env = { ...process.env };
  const named = args.model === undefined ? [] : [args.model];
  const read = readConfiguration({ cwd, env, named, flags: { ...args, model: undefined } });
  const findings = [versions(), ...read.findings, ...(await restOf(read, { cwd, env }))];
  for (const finding of findings) {
    if (args.isJson) output.outLine(JSON.stringify(finding));
    else show(finding, output);
  }
  const wrong = findings.filter(({ status }) => status === "wrong").length;
  if (!args.isJson)
    output.errLine(wrong === 0 ? "Nothing is wrong" : `${wrong} ${wrong === 1 ? "thing is" : "things are"} wrong`);
  return wrong === 0 ? 0 : 1;
}

interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

async function restOf(
  { loaded, config }: ReturnType<typeof readConfiguration>,
  { cwd, env }: Surroundings,
): Promise<readonly Finding[]> {
  if (loaded === undefined || config === undefined) return []; // Where the data is, such a configuration does not say.
  const { dataFolder, file } = loaded;
  return [
    ...permissionFindings({ dataFolder, file }),
    ...(await providerFindings(config, { env })),
    ...storageFindings(dataFolder),
    ...(await hostFindings(dataFolder, config)),
    ...programFindings(config, { env }),
    ...trustFindings({ cwd, dataFolder, file }),
  ];
}

function versions(): Finding {
  const what = `incipit ${version}, Bun ${Bun.version}, ${process.platform} ${process.arch}`;
  return { check: "versions", status: "ok", what, where: isBuiltFile ? process.execPath : import.meta.dir };
}

const marks = { ok: "ok", note: "note", wrong: "WRONG" } as const;
const indent = " ".repeat(7);

function show({ check, status, what, where, fix }: Finding, { outLine }: Output): void {
  outLine(`${marks[status].padEnd(7)}${check}: ${what}`);
  if (where !== undefined) outLine(`${indent}at ${where}`);
  if (fix !== undefined) outLine(`${indent}-> ${fix}`);
}
