import type { ModelCallRequest } from "@incipit/service-contract";
import type { AnthropicMessageRequest, AnthropicTold } from "@incipit/transport-contract";
import { defaultModelName } from "../calls/default-model.ts";
import { toMessageHistory, type MessageHistory } from "./message-history.ts";
import { toMessageSettings, toMessageTools } from "./message-settings.ts";

export function toMessageCall(request: AnthropicMessageRequest): ModelCallRequest {
  const { model, profile, cwd, systemMode } = request;
  const tools = toMessageTools(request);
  const history = toMessageHistory(request.messages);
  const system = systemTextsOf(request, history);
  return {
    ...(model === defaultModelName ? {} : { model }),
    ...(profile ? { profile } : {}),
    ...(cwd ? { cwd } : {}),
    ...(system.length === 0 ? {} : { system }),
    ...(systemMode ? { systemMode } : {}),
    messages: history.messages,
    tools,
    settings: toMessageSettings(request, tools),
    keepsReply: true,
  };
}

/** Vendors reject blank texts. */
export function systemTextsOf({ system }: AnthropicTold, history: MessageHistory): readonly string[] {
  const own = typeof system === "string" ? [system] : (system ?? []).map(({ text }) => text);
  return [...own, ...history.system].map((text) => text.toWellFormed()).filter((text) => text.trim() !== "");
}
