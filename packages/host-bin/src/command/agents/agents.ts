import { suggestion } from "@incipit/common/suggestion";
import { routes, type Client } from "@incipit/transport-contract";
import { UsageError, type Arguments } from "../arguments/arguments.ts";
import { workingFolder } from "../arguments/working-folder.ts";
import type { Output } from "../output/output.ts";
import { agentLines, sourceText } from "./agent-lines.ts";
import { editAgent } from "./edit-agent.ts";
import { resolveAgent } from "./named-agent.ts";
import { newAgent } from "./new-agent.ts";
import { removeAgent } from "./remove-agent.ts";
import { showAgent } from "./show-agent.ts";

export interface AgentsOptions {
  readonly client: Client;
  readonly dataFolder: string;
  readonly userFolder: string;
  readonly args: Arguments;
  readonly output: Output;
}

const actions = {
  list: [],
  show: ["NAME"],
  new: ["NAME"],
  edit: ["NAME"],
  remove: ["NAME"],
} as const satisfies Record<string, readonly string[]>;
type Action = keyof typeof actions;

export async function agents(options: AgentsOptions): Promise<number> {
  const { args, client, output } = options;
  const { action, name } = understood(args);
  const cwd = workingFolder(args);
  if (action === "new") return newAgent(name, { ...options, cwd });
  const found = await client.call(routes.listProfiles, { query: { cwd } });
  if (action !== "list") {
    const agent = resolveAgent(name, found);
    if (action === "show") return showAgent(agent, options);
    return action === "edit" ? editAgent(agent, { ...options, cwd }) : removeAgent(agent, options);
  }
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

function understood({ words, isForUser, isGranted }: Arguments): {
  readonly action: Action;
  readonly name: string;
} {
  const [action = "list", name = "", stray] = words;
  if (!isAction(action))
    throw new UsageError(`There is no "agents ${action}"${suggestion(action, Object.keys(actions))}`);
  const [wanted] = actions[action];
  if (wanted !== undefined && name === "")
    throw new UsageError(`"agents ${action}" needs ${wanted}; write: incipit agents ${action} ${wanted}`);
  const extra = wanted === undefined ? words[1] : stray;
  if (extra !== undefined) throw new UsageError(`"agents ${action}" takes no "${extra}"`);
  if (isForUser && action !== "new")
    throw new UsageError(`"--user" means nothing to "agents ${action}"; it is for new`);
  if (isGranted && action !== "remove")
    throw new UsageError(`"--yes" means nothing to "agents ${action}"; it is for remove`);
  return { action, name };
}

function isAction(word: string): word is Action {
  return Object.hasOwn(actions, word);
}
