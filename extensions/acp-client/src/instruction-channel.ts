import type { ToldInstructions } from "@incipit/schema";
import type { SystemPrompt } from "@agentclientprotocol/sdk/unstable";
import type { Greeting } from "./agent-answers.ts";
import { AgentFailure } from "./agent-failure.ts";
import type { AgentSettings } from "./settings.ts";

type InstructionChannel = ToldInstructions["by"];

/**
 * By the agents' own names: a string replaces their instructions, `{ append }` extends them. Newer versions advertise
 * the field, which takes precedence.
 */
const knowsMeta = /(?:^|\/)claude-(?:code|agent)-acp$/;

/**
 * In the protocol's field if advertised, in `_meta` if known to be supported, else as a text block before the first
 * prompt of each session.
 * @throws {AgentFailure} `NOT_CONFIGURED` when the operator requires an unsupported way.
 */
export function chooseInstructionChannel(
  { name, instructions, instructionsMode: mode }: Pick<AgentSettings, "name" | "instructions" | "instructionsMode">,
  { agentInfo, agentCapabilities }: Greeting,
): InstructionChannel {
  const field = agentCapabilities.sessionCapabilities.systemPrompt ?? undefined;
  const hasField = field !== undefined && (mode === "append" || (field.mode?.override ?? undefined) !== undefined);
  const hasMeta = knowsMeta.test(agentInfo?.name ?? "");
  if (instructions === "meta" || instructions === "block") return instructions;
  if (hasField) return "system-prompt";
  if (instructions === "system-prompt") throw notOffered(name, mode);
  if (hasMeta) return "meta";
  if (mode === "override") throw notOffered(name, mode);
  return "block";
}

function notOffered(name: string, mode: AgentSettings["instructionsMode"]): AgentFailure {
  const what = mode === "override" ? "put in the place of its own" : "given in the protocol's field";
  const message = `The agent "${name}" does not say that instructions can be ${what}; take instructions and instructions_mode out of [agents.${name}]`;
  return new AgentFailure("NOT_CONFIGURED", message);
}

export function sessionInstructions(
  rung: InstructionChannel | undefined,
  text: string,
  mode: AgentSettings["instructionsMode"],
): {
  readonly systemPrompt?: SystemPrompt;
  readonly _meta?: { readonly systemPrompt: string | { readonly append: string } };
} {
  if (rung === "system-prompt") return { systemPrompt: { mode, content: [{ type: "text", text }] } };
  if (rung === "meta") return { _meta: { systemPrompt: mode === "override" ? text : { append: text } } };
  return {};
}

export function instructionBlock(text: string): string {
  return `<system-instructions>\n${text.trim()}\n</system-instructions>`;
}
