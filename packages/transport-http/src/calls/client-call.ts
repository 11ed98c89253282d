import type { ModelCallRequest } from "@incipit/service-contract";
import { accessSignal } from "../request/caller.ts";
import type { AnyCall } from "../request/route-call.ts";
import type { AnswerCallOptions } from "./answer-call.ts";
import type { Services } from "../context/services.ts";

/** Alias of the model of the profile or host. */
export const defaultModelName = "default";

interface ClientRequest {
  readonly stream?: boolean | null | undefined;
  /** In seconds. */
  readonly timeout?: number | null | undefined;
  readonly model?: string | null | undefined;
  readonly profile?: string | null | undefined;
  readonly cwd?: string | null | undefined;
  readonly systemMode?: "replace" | "append" | null | undefined;
  readonly prompt_cache_key?: string | null | undefined;
}

/** A call with the fields that requests of all protocols have alike. */
export function clientCall(
  { model, profile, cwd, systemMode, prompt_cache_key: cacheKey }: ClientRequest,
  {
    system,
    messages,
    tools,
    settings,
  }: Required<Pick<ModelCallRequest, "system" | "messages" | "tools" | "settings">>,
): ModelCallRequest {
  return {
    ...(model == null || model === defaultModelName ? {} : { model }),
    ...(profile ? { profile } : {}),
    ...(cwd ? { cwd } : {}),
    ...(system.length === 0 ? {} : { system }),
    ...(systemMode ? { systemMode } : {}),
    messages,
    tools,
    keepsReply: true,
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    ...(cacheKey ? { cacheKey } : {}),
  };
}

/** Returns how to answer the call of a client, which is the same for all protocols. */
export function answerOptions(
  call: AnyCall,
  { stream, timeout }: ClientRequest,
  services: Services,
): Omit<AnswerCallOptions<never>, "protocol"> {
  return {
    isStreamed: stream === true,
    timeoutMs: timeout == null ? undefined : Math.ceil(timeout * 1_000),
    services,
    over: accessSignal(call.caller),
    signal: call.signal,
  };
}
