import type { ModelCallRequest } from "@incipit/service-contract";
import {
  callIdHeader,
  openAiErrorOfFailure,
  routes,
  type ResponseInputItem,
  type ResponseRequest,
  type ResponseStreamEvent,
} from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import { openAiErrorResponse } from "../answer/openai-errors.ts";
import { answerCall, type CallProtocol } from "../calls/answer-call.ts";
import { answerOptions, clientCall } from "../calls/client-call.ts";
import { invalidField } from "../calls/invalid-field.ts";
import { need, type Services } from "../context/services.ts";
import { accessSignal, ownerOf, type Caller, type TokenOwner } from "../request/caller.ts";
import type { AnyCall, Handlers } from "../request/route-call.ts";
import type { BackgroundResponses } from "./background-responses.ts";
import { conversationOf, named, newResponse } from "./new-response.ts";
import type { GivenItem } from "../client-conversations/client-items.ts";
import { toInputItem, typed } from "../client-conversations/client-items.ts";
import type { HeldConversations } from "../client-conversations/held-conversations.ts";
import { itemsOf, type LockedConversation } from "../client-conversations/locked-conversation.ts";
import { toResponseHistory } from "./response-history.ts";
import { callIdIn } from "./response-ids.ts";
import { toResponseSettings, toResponseTools } from "./response-settings.ts";
import { beforeAll, encodeResponseEvent, ResponseStreams } from "./response-streams.ts";
import { ResponseWriter } from "./response-writer.ts";
import { StoredResponses } from "./stored-response.ts";

export interface ResponsesOptions {
  readonly background: BackgroundResponses;
  readonly conversations: HeldConversations;
}

export function responseHandlers(services: Services, { background, conversations }: ResponsesOptions) {
  const { clock } = services;
  const storedOf = (caller: Caller | undefined): StoredResponses =>
    new StoredResponses({
      calls: need(services.calls, "session orchestrator"),
      owner: ownerOf(caller),
      running: (id) => background.find(id),
    });
  const streams = new ResponseStreams(services, background);

  const heldBy = async (request: ResponseRequest, owner: TokenOwner): Promise<LockedConversation | undefined> => {
    const conversation = conversationOf(request);
    if (conversation === null) return undefined;
    if (request.previous_response_id)
      throw invalidField(
        "conversation",
        "and `previous_response_id` are mutually exclusive: ensure that you only provide one of them",
      );
    return conversations.hold({ id: conversation.id, owner });
  };

  const create = async (
    request: ResponseRequest,
    { stored, input, held, call: asked }: Asked,
  ): Promise<Response> => {
    const previous = request.previous_response_id;
    const before = previous ? await stored.history(previous) : (held?.items ?? []).map(toInputItem);
    const call = toCall(request, [...before, ...input]);
    const options = answerOptions(asked, request, services);
    if (request.background !== true)
      return answerCall(need(services.calls, "session orchestrator"), call, {
        protocol: protocolOf(request, { stored, input, held }),
        ...options,
      });
    const response = newResponse(request, { created: Math.floor(clock.now() / 1_000), isStored: true });
    const owner = ownerOf(asked.caller);
    const { over, signal, isStreamed } = options;
    const begun = await background.start({ owner, call, input, held, response, over, signal });
    const answered = isStreamed
      ? streams.open(begun.id, { after: beforeAll, read: () => stored.get(begun.id), cut: over })
      : answer(routes.createResponse, begun);
    for (const name of [callIdHeader, "x-request-id"]) answered.headers.set(name, callIdIn(begun.id) ?? "");
    return answered;
  };

  return {
    createResponse: async (call) => {
      const caller = call.caller;
      const request = await call.body();
      if (request.background === true && request.store === false)
        throw invalidField("background", "requires `store` to be true: background responses are retrieved by id");
      if (request.background === true && request.timeout != null)
        throw invalidField("timeout", "must be omitted with `background`: no client waits for the response");
      const stored = storedOf(caller);
      const input = await stored.resolved(inputOf(request));
      const held = await heldBy(request, ownerOf(caller));
      try {
        return await create(request, { stored, input, held, call });
      } catch (error) {
        held?.letGo();
        throw error;
      }
    },
    getResponse: async (call) => {
      const query = call.query();
      const caller = call.caller;
      const stored = storedOf(caller);
      const { response } = await stored.get(call.param("id"));
      const { id } = response;
      if (query.stream !== "true" || call.context.req.raw.method === "HEAD") return call.answer(response);
      if (!response.background)
        throw invalidField("stream", `must be omitted: "${id}" was not created with \`background\``);
      const after = query.starting_after ?? beforeAll;
      return streams.reopen(id, { after, read: () => stored.get(id), cut: accessSignal(caller) });
    },
    deleteResponse: async (call) => {
      const id = call.param("id");
      const stored = storedOf(call.caller);
      await stored.get(id);
      await background.cancel(id, { isForgotten: true });
      await stored.delete(id);
      return call.answer({ id, object: "response", deleted: true });
    },
    cancelResponse: async (call) => {
      const id = call.param("id");
      const stored = storedOf(call.caller);
      const { response: before } = await stored.get(id);
      if (!before.background)
        throw invalidField(
          "response_id",
          "Cannot cancel a synchronous response: it was not created with `background`; close its stream to stop it",
        );
      await background.cancel(id, { isForgotten: false });
      const { response } = await stored.get(id);
      if (response.status !== "cancelled")
        throw invalidField("response_id", `Cannot cancel a ${response.status} response: it has ended`);
      return call.answer(response);
    },
    listResponseInput: async (call) => {
      const { input, response } = await storedOf(call.caller).get(call.param("id"));
      const data = input.map((item, index) => ({
        ...item,
        id: `in_${response.id.slice("resp_".length)}_${index}`,
      }));
      return call.answer({
        object: "list",
        data,
        first_id: data[0]?.id ?? null,
        last_id: data.at(-1)?.id ?? null,
        has_more: false,
      });
    },
  } satisfies Partial<Handlers>;
}

interface Asked {
  readonly stored: StoredResponses;
  readonly input: readonly GivenItem[];
  readonly held: LockedConversation | undefined;
  readonly call: AnyCall;
}

function inputOf({ input }: ResponseRequest): readonly ResponseInputItem[] {
  if (typeof input === "string") return [{ type: "message", role: "user", content: input }];
  return typed(input);
}

function toCall(request: ResponseRequest, items: readonly ResponseInputItem[]): ModelCallRequest {
  const { instructions } = request;
  const history = toResponseHistory(items);
  if (history.messages.length === 0) throw invalidField("input", "must have a message of the user");
  const system = [...(instructions ? [instructions.toWellFormed()] : []), ...history.system];
  const tools = toResponseTools(request);
  const settings = toResponseSettings(request, tools);
  return clientCall(request, { system, messages: history.messages, tools, settings });
}

function protocolOf(
  request: ResponseRequest,
  { stored, input, held }: Pick<Asked, "stored" | "input" | "held">,
): CallProtocol<ResponseStreamEvent> {
  return {
    idHeaders: ["x-request-id"],
    writer: (head) =>
      new ResponseWriter({
        base: named(newResponse(request, { created: head.created, isStored: request.store !== false }), head),
        keep: async (response) => {
          await held?.append(itemsOf(input, response));
          if (request.store !== false) await stored.keep(input, response);
        },
        drop: () => held?.letGo(),
      }),
    encode: encodeResponseEvent,
    refusal: ({ code, message }) => openAiErrorResponse(openAiErrorOfFailure(code, message)),
  };
}
