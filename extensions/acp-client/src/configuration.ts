import {
  defineConfiguration,
  variableKey,
  type ConfigurationProblem,
  type NeededProgram,
  type RequestedPermissionOptions,
} from "@incipit/kernel";
import * as z from "zod";

const secondsRule = "must be a whole number of seconds from 1 to 86400 (a day)";
const commandRule =
  'must be a list that begins with a program, looked for in PATH, or an absolute path, such as ["npx", "-y", "opencode-ai", "acp"]';
const folderRule = 'must be an absolute path, "$cwd" (the conversation\'s folder) or a path below "$cwd/"';

function seconds() {
  return z.int(secondsRule).min(1, secondsRule).max(86_400, secondsRule);
}

function agentKeys() {
  return z.strictObject({
    command: z
      .array(z.string(), commandRule)
      .refine(([program = ""]) => /^(\/.+|[^/]+)$/.test(program), commandRule),
    /** Names only, since the file holds no secrets. */
    env: z.array(variableKey()).default([]),
    /**
     * Sessions always use the conversation's folder. Absent: a neutral folder, since a program in an untrusted folder
     * might execute its content.
     */
    cwd: z
      .string()
      .regex(/^(\/|\$cwd(\/|$))/, folderRule)
      .exactOptional(),
    model: z.string().min(1).exactOptional(),
    models: z.array(z.string().regex(/^\S+$/, "must be the name of a model of the agent")).default([]),
    /** `auto`: the best way that the agent supports. */
    instructions: z.enum(["auto", "system-prompt", "meta", "block"]).default("auto"),
    instructions_mode: z.enum(["append", "override"]).default("append"),
    start_timeout_seconds: seconds().default(60),
    /** Excludes time spent waiting for a user's decision. */
    silence_timeout_seconds: seconds().default(900),
    idle_seconds: seconds().default(600),
    max_processes: z.int("must be a whole number from 1 on").min(1, "must be a whole number from 1 on").default(8),
  });
}

export type WrittenAgent = z.output<ReturnType<typeof agentKeys>>;

function nameKey() {
  return z.string().regex(/^[A-Za-z0-9_-]{1,40}$/, "must be at most 40 letters, digits, _ and -");
}

/** External agents, by the name before the slash. */
export const configuration = defineConfiguration({
  keys: () => ({ agents: z.record(nameKey(), agentKeys()).default({}) }),
  whole: ["agents.*"],
  needs: ({ agents }) => ({
    programs: Object.values(agents).map(({ command: [program = ""], env }): NeededProgram => ({
      name: program,
      variables: env.map((name) => ({ name, holds: "anything" })),
    })),
  }),
  problems: ({ agents }) => Object.entries(agents).flatMap(agentProblems),
  reserves: ({ agents }) =>
    Object.keys(agents).map((name) => ({ point: "model-providers@1", name, whose: "a configured agent" })),
  wishes: ({ agents }, options) =>
    Object.entries(agents).map(([name, agent]) => ({
      path: ["agents", name],
      sentence: agentWish(name, agent, options),
      tells: ["command", "env", "cwd"],
    })),
});

function agentProblems([name, agent]: [string, WrittenAgent]): readonly ConfigurationProblem[] {
  const [, ...args] = agent.command;
  const loose = agent.cwd === undefined ? args.find((word) => /^\.\.?(\/|$)/.test(word)) : undefined;
  const problems: ConfigurationProblem[] = [];
  if (loose !== undefined) {
    const message = `has ${JSON.stringify(loose)}, and the program does not run in a folder of yours; write an absolute path, or say where it runs (cwd)`;
    problems.push({ path: ["agents", name, "command"], message });
  }
  if (agent.instructions === "block" && agent.instructions_mode === "override") {
    const message = "does nothing for instructions that are a block of text; take one of the two out";
    problems.push({ path: ["agents", name, "instructions_mode"], message });
  }
  return problems;
}

function agentWish(name: string, agent: WrittenAgent, { quote, sending }: RequestedPermissionOptions): string {
  const program = agent.command.map((word) => quote(word)).join(" ");
  const where = agent.cwd === undefined ? "" : ` in ${quote(agent.cwd)}`;
  return `starts the program ${program}${where}${sending(agent.env)} for conversations with the model ${quote(`${name}/…`)}, and lets it work in their folders`;
}
