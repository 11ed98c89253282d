import type { ModelCallRequest } from "@incipit/service-contract";
import {
  callIdHeader,
  openAiErrorOfFailure,
  routes,
  type ResponseInputItem,
  type ResponseObject,
  type ResponseRequest,
  type ResponseStreamEvent,
} from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import { openAiErrorResponse } from "../answer/openai-errors.ts";
import { answerCall, type CallHead, type CallProtocol } from "../calls/answer-call.ts";
import { defaultModelName } from "../calls/default-model.ts";
import { invalidField } from "../calls/invalid-field.ts";
import { need, type Services } from "../context/services.ts";
import { overOf, tokenOf, type Caller } from "../request/caller.ts";
import { param, type Handlers } from "../request/handler.ts";
import { check, readBody } from "../request/read-body.ts";
import type { BackgroundResponses } from "./background-responses.ts";
import { newResponse } from "./new-response.ts";
import { toResponseHistory } from "./response-history.ts";
import { callIdIn } from "./response-ids.ts";
import { toResponseSettings, toResponseTools } from "./response-settings.ts";
import { beforeAll, encodeResponseEvent, ResponseStreams } from "./response-streams.ts";
import { ResponseWriter } from "./response-writer.ts";
import { StoredResponses, type ResponseOwner } from "./stored-response.ts";

type ResponseRoute = "createResponse" | "getResponse" | "deleteResponse" | "cancelResponse" | "listResponseInput";

/** What OpenAI's newer clients ask for. */
export function responseHandlers(services: Services, background: BackgroundResponses): Handlers<ResponseRoute> {
  const { clock } = services;
  const ownerOf = (caller: Caller | undefined): ResponseOwner => tokenOf(caller)?.id ?? null;
  const storedOf = (caller: Caller | undefined): StoredResponses =>
    new StoredResponses({
      calls: need(services.calls, "session orchestrator"),
      owner: ownerOf(caller),
      running: (id) => background.find(id),
    });
  const streams = new ResponseStreams(services, background);
  return {
    createResponse: async (context, signal) => {
      const calls = need(services.calls, "session orchestrator");
      const caller = context.get("caller");
      const request = await readBody(context.req.raw, routes.createResponse.body, { clock, signal });
      const isBackground = request.background === true;
      if (isBackground && request.store === false)
        throw invalidField(
          "background",
          "requires `store` to be true: what runs in the background is found by its id",
        );
      const stored = storedOf(caller);
      const input = await stored.resolved(inputOf(request));
      const previous = request.previous_response_id;
      const before = previous ? await stored.history(previous) : [];
      const call = toCall(request, [...before, ...input]);
      const over = overOf(caller);
      const asked = AbortSignal.any([signal, context.req.raw.signal]);
      if (!isBackground)
        return answerCall(calls, call, {
          protocol: protocolOf(request, { stored, input }),
          isStreamed: request.stream === true,
          services,
          over,
          signal: asked,
        });
      const responseOf = (head: CallHead): ResponseObject => newResponse(head, { request, isStored: true });
      const owner = ownerOf(caller);
      const begun = await background.start({ owner, call, input, responseOf, over, signal: asked });
      const answered =
        request.stream === true
          ? streams.open(begun.id, { after: beforeAll, read: () => stored.get(begun.id), cut: over })
          : answer(routes.createResponse, begun);
      for (const name of [callIdHeader, "x-request-id"]) answered.headers.set(name, callIdIn(begun.id) ?? "");
      return answered;
    },
    getResponse: async (context) => {
      const query = check(routes.getResponse.query, context.req.query());
      const caller = context.get("caller");
      const stored = storedOf(caller);
      const { response } = await stored.get(param(context, "id"));
      const { id } = response;
      if (query.stream !== "true" || context.req.raw.method === "HEAD") return answer(routes.getResponse, response);
      if (!response.background)
        throw invalidField("stream", `must be left out: "${id}" was not made with \`background\``);
      const after = query.starting_after ?? beforeAll;
      return streams.reopen(id, { after, read: () => stored.get(id), cut: overOf(caller) });
    },
    deleteResponse: async (context) => {
      const id = param(context, "id");
      const stored = storedOf(context.get("caller"));
      await stored.get(id);
      await background.cancel(id, { isForgotten: true });
      await stored.delete(id);
      return answer(routes.deleteResponse, { id, object: "response", deleted: true });
    },
    cancelResponse: async (context) => {
      const id = param(context, "id");
      const stored = storedOf(context.get("caller"));
      const { response: before } = await stored.get(id);
      if (!before.background)
        throw invalidField(
          "response_id",
          "Cannot cancel a synchronous response: it was not made with `background`; close its stream to stop one",
        );
      await background.cancel(id, { isForgotten: false });
      const { response } = await stored.get(id);
      if (response.status !== "cancelled")
        throw invalidField("response_id", `Cannot cancel a ${response.status} response: it has ended`);
      return answer(routes.cancelResponse, response);
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
        base: newResponse(head, { request, isStored: request.store !== false }),
        keep: request.store === false ? undefined : (response) => stored.keep(input, response),
      }),
    encode: encodeResponseEvent,
    refusal: ({ code, message }) => openAiErrorResponse(openAiErrorOfFailure(code, message)),
  };
}
