import type { SessionUpdate, ToolCallUpdate } from "@agentclientprotocol/sdk/experimental/v2/unstable";
import type { SessionUpdate as Update, ToolCallUpdate as CallUpdate } from "@agentclientprotocol/sdk/unstable";
import { configOptionOf } from "./config-option.ts";
import { toolContent } from "./tool-content.ts";

/** Version 2 requires an id for plans; each session has one plan. */
const planId = "plan";

/** Converts an update to version 2, or returns `undefined` if there is no equivalent. */
export function sessionUpdateOf(update: Update): SessionUpdate | undefined {
  switch (update.sessionUpdate) {
    case "user_message_chunk":
    case "agent_message_chunk":
    case "agent_thought_chunk": {
      const { messageId } = update;
      return messageId === undefined || messageId === null ? undefined : { ...update, messageId };
    }
    case "tool_call":
    case "tool_call_update":
      return { sessionUpdate: "tool_call_update", ...toolCallOf(update) };
    case "plan":
      return { sessionUpdate: "plan_update", plan: { type: "items", planId, entries: update.entries } };
    case "available_commands_update":
      return {
        sessionUpdate: "available_commands_update",
        availableCommands: update.availableCommands.map(({ name, description, input }) => ({
          type: "command",
          name,
          description,
          ...(input === undefined || input === null ? {} : { input: { type: "text", hint: input.hint } }),
        })),
      };
    case "config_option_update":
      return { sessionUpdate: "config_option_update", configOptions: update.configOptions.map(configOptionOf) };
    case "session_info_update":
    case "usage_update":
    case "notice":
    case "compaction_update":
    case "compaction_summary_chunk":
      return update;
    // Updates that the host never sends.
    case "current_mode_update":
    case "plan_removed":
    case "plan_update":
    case "session_message":
    case "session_message_chunk":
    case "subagent_update":
      return undefined;
  }
}

/** Converts a tool call; in version 2 an update with an unknown id announces a new call. */
export function toolCallOf(call: CallUpdate): ToolCallUpdate {
  const { toolCallId, name, title, kind, status, content, locations, rawInput, rawOutput } = call;
  return {
    toolCallId,
    ...(name === undefined ? {} : { name }),
    ...(title === undefined ? {} : { title }),
    ...(kind === undefined ? {} : { kind }),
    ...(status === undefined ? {} : { status }),
    ...(locations === undefined ? {} : { locations }),
    ...(content === undefined || content === null ? {} : { content: toolContent(content) }),
    ...(rawInput === undefined ? {} : { rawInput }),
    ...(rawOutput === undefined ? {} : { rawOutput }),
  };
}
