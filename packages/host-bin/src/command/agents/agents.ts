import { routes } from "@incipit/transport-contract";
import { workingFolder } from "../arguments/working-folder.ts";
import type { Call } from "../registry/command.ts";
import { agentLines, sourceText } from "./agent-lines.ts";

export async function listAgents({ args, output, host }: Call<[], "cwd">): Promise<number> {
  const query = { cwd: workingFolder(args) };
  const found = await (await host.client()).call(routes.listProfiles, { query });
  for (const agent of found.profiles) {
    if (args.isJson) output.outLine(JSON.stringify(agent));
    else
      for (const [index, line] of agentLines(agent).entries()) (index === 0 ? output.outRow : output.errLine)(line);
  }
  if (args.isJson) return 0;
  if (found.profiles.length === 0) output.errLine("There is no agent here; to write one: incipit agents new NAME");
  for (const { path, line, message } of found.problems) output.errLine(`${sourceText({ path, line })}: ${message}`);
  return 0;
}
