import type { TurnEvent } from "@incipit/schema";
import { createTempFolder, recordedAgent, type RecordedAgent } from "@incipit/testkit";
import { stepsResponseSchema } from "@incipit/transport-contract";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { HostProcess, type HostProcessOptions } from "../support/host-process.ts";

type AgentOptions = Parameters<typeof recordedAgent>[1];

export interface AgentWorldOptions {
  readonly agents?: Readonly<Record<string, AgentOptions>>;
  readonly settings?: Readonly<Record<string, string>>;
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Agents are real programs that act on the last text of a prompt. */
export interface AgentWorld extends AsyncDisposable {
  readonly host: HostProcess;
  readonly options: HostProcessOptions;
  readonly cwd: string;
  readonly agent: RecordedAgent;
  agentNamed(name: string): RecordedAgent;
}

export async function createAgentWorld(options: AgentWorldOptions = {}): Promise<AgentWorld> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTempFolder());
  const agents = new Map<string, RecordedAgent>();
  const tables: string[] = [];
  for (const [name, agentOptions] of Object.entries(options.agents ?? { helper: {} })) {
    const place = join(folder.path, `agent-${name}`);
    await mkdir(place);
    const agent = recordedAgent(place, agentOptions);
    agents.set(name, agent);
    tables.push(`[agents.${name}]\ncommand = ${JSON.stringify(agent.command)}\n${options.settings?.[name] ?? ""}`);
  }
  const [first = "helper"] = agents.keys();
  const config = join(folder.path, "incipit.toml");
  const general = options.config ?? "";
  const model = general.includes("model =") ? "" : `model = "${first}/default"\n`;
  await Bun.write(config, `${model}${general}\n${tables.join("\n")}\n`);
  const cwd = join(folder.path, "work");
  await mkdir(cwd);
  const { env } = options;
  const hostOptions = { data: join(folder.path, "data"), config, cwd, ...(env === undefined ? {} : { env }) };
  const host = stack.use(await HostProcess.start(hostOptions));
  const owned = stack.move();
  const agentNamed = (name: string): RecordedAgent => {
    const agent = agents.get(name);
    if (agent === undefined) throw new Error(`There is no agent "${name}"`);
    return agent;
  };
  return {
    host,
    options: hostOptions,
    cwd,
    agent: agentNamed(first),
    agentNamed,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export function textOf(events: readonly TurnEvent[]): string {
  return events.flatMap((event) => (event.type === "text-end" ? [event.text] : [])).join("\n");
}

const promptSchema = z.object({
  sessionId: z.string(),
  prompt: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
});

export interface ReceivedPrompt {
  readonly sessionId: string;
  readonly texts: readonly string[];
}

export async function promptsOf(agent: RecordedAgent): Promise<readonly ReceivedPrompt[]> {
  return (await agent.messages())
    .filter(({ method }) => method === "session/prompt")
    .map(({ params }) => {
      const { sessionId, prompt } = promptSchema.parse(params);
      return { sessionId, texts: prompt.flatMap(({ text }) => (text === undefined ? [] : [text])) };
    });
}

export async function stepsOf(host: HostProcess, id: string) {
  return stepsResponseSchema.parse(await host.json(`/conversations/${id}/steps`)).steps;
}

export function instructions(text: string): string {
  return `<system-instructions>\n${text}\n</system-instructions>`;
}
