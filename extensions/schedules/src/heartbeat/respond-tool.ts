import { lazySchema } from "@incipit/schema";
import type { Tool, ToolSource } from "@incipit/service-contract";
import * as z from "zod";

export const respondToolName = "heartbeat_respond";

/** The model's answer, until its wake ends. */
export const storedResponseSchema = lazySchema(() => z.object({ notify: z.boolean() }));

export function responseKey(runId: string): string {
  return `response/${runId}`;
}

export interface HeartbeatResponse {
  readonly conversationId: string;
  readonly notify: boolean;
}

export interface Responses {
  isForWakes(conversationId: string): Promise<boolean>;
  respond(response: HeartbeatResponse): Promise<boolean>;
}

/** More reliable than the token at the end of a reply. */
export function respondToolSource(load: () => Promise<Responses>): ToolSource {
  const tool: Tool = {
    name: respondToolName,
    description:
      "Says whether the user is to be told of your reply to this heartbeat. Call it once, before your reply: notify false when nothing needs attention, notify true when something does. It counts in place of HEARTBEAT_OK.",
    // It only affects who is notified.
    approval: "allow",
    isReadOnly: true,
    inputSchema: {
      type: "object",
      properties: { notify: { type: "boolean", description: "Whether the user is to be told" } },
      required: ["notify"],
      additionalProperties: false,
    },
    async execute(input, { conversationId }) {
      const { data } = storedResponseSchema.safeParse(input);
      if (data === undefined) throw new Error(`Cannot run ${respondToolName}: "notify" must be true or false`);
      const isTaken = await (await load()).respond({ conversationId, notify: data.notify });
      if (!isTaken) throw new Error("No heartbeat is under way here: answer as usual");
      return data.notify
        ? "The user is told of your reply. Say in it what needs attention."
        : "The user is not told of your reply. Keep it short.";
    },
  };
  return {
    id: "heartbeat",
    async tools({ conversationId }) {
      return { tools: (await (await load()).isForWakes(conversationId)) ? [tool] : [], problems: [] };
    },
  };
}
