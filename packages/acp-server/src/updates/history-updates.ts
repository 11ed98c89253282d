import type { ContentBlock, SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import type { Message, MessagePart } from "@incipit/schema";
import { toolOutput, toolView } from "../tools/tool-view.ts";

export class HistoryUpdates {
  readonly #cwd: string;
  readonly #calls = new Map<string, { readonly name: string; readonly input: string }>();

  constructor({ cwd }: { readonly cwd: string }) {
    this.#cwd = cwd;
  }

  /** Messages carried into a new epoch were reported with the previous one. */
  take({ id, role, parts, carriedFrom }: Message): readonly SessionUpdate[] {
    if (carriedFrom !== undefined) return [];
    return parts.flatMap((part) => this.#part(part, { messageId: id, isUser: role === "user" }));
  }

  #part(
    part: MessagePart,
    { messageId, isUser }: { readonly messageId: string; readonly isUser: boolean },
  ): readonly SessionUpdate[] {
    switch (part.type) {
      case "text":
      case "file": {
        const sessionUpdate = isUser ? "user_message_chunk" : "agent_message_chunk";
        return [{ sessionUpdate, content: contentOf(part), messageId }];
      }
      case "reasoning":
        if (part.text === "") return [];
        return [{ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: part.text }, messageId }];
      case "tool-call": {
        const { toolCallId, name, input } = part;
        this.#calls.set(toolCallId, { name, input });
        const view = toolView({ name, input, cwd: this.#cwd });
        // A call without a result is running or waits for approval; a status never goes back.
        return [{ sessionUpdate: "tool_call", toolCallId, name, status: "pending", ...view }];
      }
      case "tool-result": {
        const { toolCallId, name, output, isError, files = [] } = part;
        const view = toolView({ name, ...this.#calls.get(toolCallId), cwd: this.#cwd });
        this.#calls.delete(toolCallId);
        const content = [
          ...toolOutput(view, { text: output, isError }),
          ...files.map((file) => ({ type: "content" as const, content: contentOf(file) })),
        ];
        const status = isError ? "failed" : "completed";
        return [{ sessionUpdate: "tool_call_update", toolCallId, status, content }];
      }
    }
  }
}

function contentOf(part: Extract<MessagePart, { type: "text" | "file" }>): ContentBlock {
  if (part.type === "text") return { type: "text", text: part.text };
  const { data, mediaType: mimeType, filename = "file" } = part;
  if (mimeType.startsWith("image/")) return { type: "image", data, mimeType };
  if (mimeType.startsWith("audio/")) return { type: "audio", data, mimeType };
  return {
    type: "resource",
    resource: { blob: data, mimeType, uri: `attachment:${encodeURIComponent(filename)}` },
  };
}
