import { routes } from "@incipit/transport-contract";
import { workingFolder } from "../arguments/working-folder.ts";
import type { Call } from "../registry/command.ts";
import { readFile } from "node:fs/promises";
import { runEditor } from "../prompt/run-editor.ts";
import { agentLines, sourceText } from "./agent-lines.ts";
import { configuredAgentAdvice } from "./configured-agent-advice.ts";
import { resolveAgent } from "./named-agent.ts";
import { trustAgentFile } from "./trust-agent-file.ts";

/**
 * The editor works on the file itself, so that keys unknown to this program survive. The saved text is trusted, because
 * the user has just seen it.
 */
export async function editAgent(call: Call<[agent: string], "cwd">): Promise<number> {
  const { args, output, host } = call;
  const [name] = call.words;
  const { client, dataFolder } = await host.connect();
  const cwd = workingFolder(args);
  const { path, line, tier } = (await resolveAgent(client, name, cwd)).source;
  if (path === null) throw new Error(configuredAgentAdvice(name));
  const before = await readFile(path);
  if (line !== null) output.errLine(`It begins in line ${line}`);
  await runEditor(path);
  const written = await readFile(path);
  if (written.equals(before)) {
    output.errLine("Nothing was changed");
    return 0;
  }
  if (tier !== "user") await trustAgentFile(path, written, { dataFolder, output });
  const { profiles, problems } = await client.call(routes.listProfiles, { query: { cwd } });
  const wrong = problems.filter((problem) => problem.path === path);
  for (const problem of wrong) output.errLine(`${sourceText(problem)}: ${problem.message}`);
  const agent = profiles.find((one) => one.name === name && one.source.path === path);
  if (agent === undefined) {
    output.errLine(`"${name}" is not in ${path} any more`);
    return wrong.length === 0 ? 0 : 1;
  }
  for (const text of agentLines(agent, { isAlone: true })) output.errLine(text);
  output.errLine("New conversations use it; running ones keep their prompt until compaction.");
  return 0;
}
