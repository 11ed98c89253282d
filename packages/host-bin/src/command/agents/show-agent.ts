import { workingFolder } from "../arguments/working-folder.ts";
import type { Call } from "../registry/command.ts";
import { readFile } from "node:fs/promises";
import { agentLines, sourceText } from "./agent-lines.ts";
import { resolveAgent } from "./named-agent.ts";

export async function showAgent(call: Call<[agent: string], "cwd">): Promise<number> {
  const { args, output, host } = call;
  const [name] = call.words;
  const agent = await resolveAgent(await host.client(), name, workingFolder(args));
  if (args.isJson) {
    output.outLine(JSON.stringify(agent));
    return 0;
  }
  for (const line of agentLines(agent, { isAlone: true })) output.errLine(line);
  output.errLine(`It is written in ${sourceText(agent.source)}`);
  const { path, line } = agent.source;
  // A file with several agents is not printed; the line above has its place.
  if (path !== null && line === null) output.outExact(await readFile(path, "utf8"));
  return 0;
}
