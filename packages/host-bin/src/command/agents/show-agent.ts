import type { Profile } from "@incipit/transport-contract";
import { readFile } from "node:fs/promises";
import { agentLines, sourceText } from "./agent-lines.ts";
import type { AgentsOptions } from "./agents.ts";

export async function showAgent(
  agent: Profile,
  { args, output }: Pick<AgentsOptions, "args" | "output">,
): Promise<number> {
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
