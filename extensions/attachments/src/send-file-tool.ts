import { lazySchema } from "@incipit/schema";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";

const toolName = "send_file";

const inputSchema = lazySchema(() => z.strictObject({ path: z.string().min(1).max(4_096) }));

export interface SendFileCall {
  readonly path: string;
  readonly conversationId: string;
  readonly turnId: string | undefined;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

export function sendFileTool(send: (call: SendFileCall) => Promise<string>): Tool {
  return {
    name: toolName,
    description:
      "Sends a file of the working folder (image, audio, video, document) to the user with your reply of this turn, as a MEDIA line does, and says at once when it cannot be sent.",
    // Equivalent to a MEDIA line, which needs no approval either.
    approval: "allow",
    isReadOnly: false,
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, maxLength: 4_096, description: "Relative to the working folder" },
      },
      required: ["path"],
      additionalProperties: false,
    },
    async execute(input, { conversationId, turnId, cwd, signal }) {
      const { data } = inputSchema.safeParse(input);
      if (data === undefined)
        throw new Error(`Cannot run ${toolName}: "path" must be a path of the working folder`);
      signal.throwIfAborted();
      return send({ path: data.path, conversationId, turnId, cwd, signal });
    },
  };
}
