import { syncFolder } from "@incipit/host/data-folder";
import { quoted } from "@incipit/cli-text";
import type { Profile } from "@incipit/transport-contract";
import { unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { isAgreed } from "../questions/is-agreed.ts";
import type { AgentsOptions } from "./agents.ts";
import { configuredAgentAdvice } from "./configured-agent-advice.ts";

/** Running conversations keep their prompt. */
export async function removeAgent(
  { name, source: { path, line } }: Profile,
  { args, output }: Pick<AgentsOptions, "args" | "output">,
): Promise<number> {
  if (path === null) throw new Error(configuredAgentAdvice(name));
  if (line !== null)
    throw new Error(
      `"${name}" is one of several in ${path}: take it out there, from line ${line} on (incipit agents edit ${name})`,
    );
  if (!args.isGranted && !(await isAgreed(`Remove ${quoted(path)} for good? [y/N] `, output))) {
    output.errLine(`Nothing was removed; "--yes" removes it without a question`);
    return 1;
  }
  await unlink(path);
  syncFolder(dirname(path));
  output.outLine(args.isJson ? JSON.stringify({ removed: path }) : `${quoted(path)} is removed`);
  return 0;
}
