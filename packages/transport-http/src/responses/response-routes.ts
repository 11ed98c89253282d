import type { ModelCallRequest } from "@incipit/service-contract";
import {
  openAiErrorOfFailure,
  routes,
  type ResponseInputItem,
  type ResponseRequest,
  type ResponseStreamEvent,
} from "@incipit/transport-contract";

import { answer } from "../answer/answer.ts";
import { openAiErrorResponse } from "../answer/openai-errors.ts";
import { answerCall, type CallProtocol } from "../calls/answer-call.ts";
import { defaultModelName } from "../calls/default-model.ts";
import { invalidField } from "../calls/invalid-field.ts";
import { need, type Services } from "../context/services.ts";
import { overOf, tokenOf, type Caller } from "../request/caller.ts";
import { param, type Handlers } from "../request/handler.ts";
import { readBody } from "../request/read-body.ts";
import { toResponseHistory } from "./response-history.ts";
import { toResponseSettings, toResponseTools } from "./response-settings.ts";
import { ResponseWriter } from "./response-writer.ts";
import { StoredResponses } from "./stored-response.ts";

type ResponseRoute = "createResponse" | "getResponse" | "deleteResponse" | "cancelResponse" | "listResponseInput";

/** What OpenAI's newer clients ask for. */
export function responseHandlers(services: Services): Handlers<ResponseRoute> {
  const { clock } = services;
  const storedOf = (caller: Caller | undefined): StoredResponses =>
    new StoredResponses(need(services.calls, "session orchestrator"), tokenOf(caller)?.id ?? null);
  return {
    createResponse: async (context, signal) => {
      const calls = need(services.calls, "session orchestrator");
      const caller = context.get("caller");
      const request = await readBody(context.req.raw, routes.createResponse.body, { clock, signal });
      const stored = storedOf(caller);
      const input = await stored.resolved(inputOf(request));
      const previous = request.previous_response_id;
      const before = previous ? await stored.history(previous) : [];
      return answerCall(calls, toCall(request, [...before, ...input]), {
        protocol: protocolOf(request, { stored, input }),
        isStreamed: request.stream === true,
        services,
        over: overOf(caller),
        signal: AbortSignal.any([signal, context.req.raw.signal]),
      });
    },
    getResponse: async (context) => {
      const { response } = await storedOf(context.get("caller")).get(param(context, "id"));
      return answer(routes.getResponse, response);
    },
    deleteResponse: async (context) => {
      const id = param(context, "id");
      await storedOf(context.get("caller")).delete(id);
      return answer(routes.deleteResponse, { id, object: "response", deleted: true });
    },
    cancelResponse: async (context) => {
      const { response } = await storedOf(context.get("caller")).get(param(context, "id"));
      throw invalidField(
        "id",
        `"${response.id}" has ended, and none runs in the background: close a stream to stop it`,
      );
    },
    listResponseInput: async (context) => {
      const { input, response } = await storedOf(context.get("caller")).get(param(context, "id"));
      const data = input.map((item, index) => ({
        ...item,
        id: `in_${response.id.slice("resp_".length)}_${index}`,
      }));
      return answer(routes.listResponseInput, {
        object: "list",
        data,
        first_id: data[0]?.id ?? null,
        last_id: data.at(-1)?.id ?? null,
        has_more: false,
      });
    },
  };
}

function inputOf({ input }: ResponseRequest): readonly ResponseInputItem[] {
  if (typeof input === "string") return [{ type: "message", role: "user", content: input }];
  return input.map((item) => ("type" in item ? item : { type: "message", ...item }));
}

/** @throws {ServiceError} `INVALID_REQUEST` that names the field. */
function toCall(request: ResponseRequest, items: readonly ResponseInputItem[]): ModelCallRequest {
  const { instructions, profile, cwd, systemMode, prompt_cache_key: cacheKey } = request;
  const history = toResponseHistory(items);
  if (history.messages.length === 0) throw invalidField("input", "must have a message of the user");
  const system = [...(instructions ? [instructions.toWellFormed()] : []), ...history.system];
  const model = request.model ?? defaultModelName;
  const tools = toResponseTools(request);
  const settings = toResponseSettings(request, tools);
  return {
    ...(model === defaultModelName ? {} : { model }),
    ...(profile ? { profile } : {}),
    ...(cwd ? { cwd } : {}),
    ...(system.length === 0 ? {} : { system }),
    ...(systemMode ? { systemMode } : {}),
    messages: history.messages,
    tools,
    keepsReply: true,
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    ...(cacheKey ? { cacheKey } : {}),
  };
}

function protocolOf(
  request: ResponseRequest,
  { stored, input }: { readonly stored: StoredResponses; readonly input: readonly ResponseInputItem[] },
): CallProtocol<ResponseStreamEvent> {
  return {
    idHeaders: ["x-request-id"],
    writer: (head) =>
      new ResponseWriter({
        head,
        request,
        keep: request.store === false ? undefined : (response) => stored.keep(input, response),
      }),
    encode: (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
    refusal: ({ code, message }) => openAiErrorResponse(openAiErrorOfFailure(code, message)),
  };
}
