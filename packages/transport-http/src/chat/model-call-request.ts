import type { ModelCallRequest } from "@incipit/service-contract";
import type { ChatCompletionRequest } from "@incipit/transport-contract";
import { defaultModelName } from "../calls/default-model.ts";
import { toHistory } from "./history.ts";
import { invalidField } from "../calls/invalid-field.ts";
import { toSettings, toTools } from "./model-settings.ts";

export function toModelCallRequest(request: ChatCompletionRequest): ModelCallRequest {
  const given = request.model ?? defaultModelName;
  const model = given === defaultModelName ? undefined : given;
  const { system, messages } = toHistory(request.messages ?? []);
  const said = request.prompt ?? undefined;
  if (said === undefined && messages.length === 0) {
    const rule = `must have a message of the user${system.length === 0 ? "" : " beside the system texts"}, or there must be a \`prompt\``;
    throw invalidField("messages", rule);
  }
  const tools = toTools(request);
  const settings = toSettings(request, tools);
  const { profile, systemMode, cwd, prompt_cache_key: cacheKey } = request;
  return {
    ...(model === undefined ? {} : { model }),
    ...(profile ? { profile } : {}),
    ...(cwd ? { cwd } : {}),
    ...(system.length === 0 ? {} : { system }),
    ...(systemMode ? { systemMode } : {}),
    messages:
      said === undefined
        ? messages
        : [...messages, { role: "user", parts: [{ type: "text", text: said.toWellFormed() }] }],
    tools,
    keepsReply: true,
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    ...(cacheKey ? { cacheKey } : {}),
  };
}
