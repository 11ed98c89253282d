import type { Tool } from "@incipit/service-contract";
import { readAgentInput, type AgentInput } from "./agent-input.ts";
import { agentToolName } from "./agent-tool-name.ts";
import type { TaskCall } from "./run-task.ts";
import type { UsableProfile } from "./usable-profiles.ts";

export interface AgentToolOptions {
  readonly profiles: readonly UsableProfile[];
  readonly isProfileRequired: boolean;
  readonly timeoutMs: number;
  readonly give: (input: AgentInput, call: TaskCall) => Promise<string>;
}

const what =
  "Gives a task to another agent, which works on it by itself in a conversation of its own, with tools of its own, and answers once. Use it for work that can be said in a few sentences and whose result is short, such as a search through many files; give several tasks in one step, and they run at the same time. It knows nothing of this conversation: say in the task all that it needs, and what it is to answer.";

/** The text depends only on the agents, so that request prefixes stay stable. */
export function agentTool({ profiles, isProfileRequired, timeoutMs, give }: AgentToolOptions): Tool {
  const names = profiles.map(({ name }) => name);
  const list = names.map((name) => `"${name}"`).join(", ");
  const whom = isProfileRequired ? "Whom it is given to" : "Whom it is given to; without it, an agent like you";
  const properties: Tool["inputSchema"] = {
    ...(names.length === 0 ? {} : { profile: { type: "string", enum: names, description: whom } }),
    task: { type: "string", description: "What to do, with all that has to be known for it" },
    schema: {
      type: "object",
      description: "A JSON Schema that the answer has to fit; without it, the answer is text",
    },
  };
  return {
    name: agentToolName,
    description: names.length === 0 ? what : `${what} Profiles: ${list}.`,
    inputSchema: {
      type: "object",
      properties,
      required: isProfileRequired ? ["profile", "task"] : ["task"],
      additionalProperties: false,
    },
    // The task's own tool calls are subject to approval.
    approval: "allow",
    timeoutMs,
    async execute(input, { conversationId, turnId, toolCallId, cwd, signal, askPermission }) {
      const asked = readAgentInput(input);
      if (isProfileRequired && asked.profile === undefined)
        throw new Error(`Cannot run ${agentToolName}: "profile" must be one of ${list}`);
      if (turnId === undefined || toolCallId === undefined)
        throw new Error(
          `Cannot run ${agentToolName}: a task belongs to a call in a turn, and this call is in none`,
        );
      return give(asked, { conversationId, turnId, toolCallId, cwd, signal, askPermission });
    },
  };
}
