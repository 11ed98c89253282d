import { syncFolder } from "@incipit/host/data-folder";
import { quoted } from "@incipit/cli-text";
import { workingFolder } from "../arguments/working-folder.ts";
import type { Call } from "../registry/command.ts";
import { unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { isAgreed } from "../questions/is-agreed.ts";
import { configuredAgentAdvice } from "./configured-agent-advice.ts";
import { resolveAgent } from "./named-agent.ts";

/** Running conversations keep their prompt. */
export async function removeAgent(call: Call<[agent: string], "cwd" | "isGranted">): Promise<number> {
  const { args, output, host } = call;
  const [name] = call.words;
  const { path, line } = (await resolveAgent(await host.client(), name, workingFolder(args))).source;
  if (path === null) throw new Error(configuredAgentAdvice(name));
  if (line !== null)
    throw new Error(
      `"${name}" is one of several in ${path}: take it out there, from line ${line} on (incipit agents edit ${name})`,
    );
  if (!args.isGranted && !(await isAgreed(`Delete ${quoted(path)} permanently? [y/N] `, output))) {
    output.errLine(`Nothing was removed; "--yes" removes it without a question`);
    return 1;
  }
  await unlink(path);
  syncFolder(dirname(path));
  output.outLine(args.isJson ? JSON.stringify({ removed: path }) : `${quoted(path)} is removed`);
  return 0;
}
