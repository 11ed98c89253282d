import type { Net } from "@incipit/kernel";
import type { MessagePart, ModelMessage } from "@incipit/schema";
import type { ModelEvent, ModelRequest } from "@incipit/service-contract";

export function userMessage(text: string): ModelMessage {
  return { role: "user", parts: [{ type: "text", text }] };
}

/** One question without system text and tools, unless `options` differ. */
export function modelRequest(options: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: "m",
    conversationId: "0190f0a0-0000-7000-8000-000000000001",
    cwd: "/work",
    purpose: "turn",
    systemPrompt: [],
    messages: [userMessage("one")],
    tools: [],
    signal: new AbortController().signal,
    observe: () => {},
    ...options,
  };
}

/** Returns the reply as the next request has it. `model` includes its provider. */
export function replyMessage(events: readonly ModelEvent[], model?: string): ModelMessage {
  const parts = new Map<string, MessagePart>();
  for (const event of events) {
    if (event.type === "tool-call") {
      const { toolCallId, name, input, metadata } = event;
      parts.set(toolCallId, { type: "tool-call", toolCallId, name, input, ...(metadata && { metadata }) });
    }
    if (!("partId" in event)) continue;
    const { partId } = event;
    const type = event.type.startsWith("text") ? "text" : "reasoning";
    const before = parts.get(partId);
    const text = before !== undefined && "text" in before ? before.text : "";
    if (event.type === "text-delta" || event.type === "reasoning-delta")
      parts.set(partId, { type, text: text + event.text });
    if ((event.type === "text-end" || event.type === "reasoning-end") && event.metadata !== undefined)
      parts.set(partId, { type, text, metadata: event.metadata });
  }
  return { role: "assistant", parts: [...parts.values()], ...(model === undefined ? {} : { model }) };
}

/** Real sockets, with observers notified like the host's driver does. */
export const socketNet: Net = {
  webSocket: () => Promise.reject(new Error("Nobody opens a socket here")),
  async fetch(url, { observe, ...init } = {}) {
    const body = typeof init.body === "string" ? init.body : "";
    await observe?.({ method: init.method ?? "GET", url, headers: {}, body, sha256: "", at: 0 });
    return fetch(url, { ...init, redirect: "manual" });
  },
};
