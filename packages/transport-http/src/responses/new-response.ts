import type { ResponseObject, ResponseRequest } from "@incipit/transport-contract";
import type { CallHead } from "../calls/answer-call.ts";
import { responseIdOf } from "./response-ids.ts";

export function newResponse(
  request: ResponseRequest,
  { created, isStored }: { readonly created: number; readonly isStored: boolean },
): ResponseObject {
  const isBackground = request.background === true;
  return {
    id: "",
    object: "response",
    created_at: created,
    conversation: conversationOf(request),
    status: isBackground ? "queued" : "in_progress",
    background: isBackground,
    error: null,
    incomplete_details: null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    metadata: request.metadata ?? {},
    model: "",
    output: [],
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    reasoning: { effort: request.reasoning?.effort ?? null, summary: null },
    store: isStored,
    temperature: request.temperature ?? null,
    text: { format: request.text?.format ?? { type: "text" } },
    tool_choice: request.tool_choice ?? "auto",
    tools: (request.tools ?? []).flatMap((tool) => (tool.type === "function" ? [tool] : [])),
    top_p: request.top_p ?? null,
    truncation: "disabled",
    usage: null,
  };
}

export function named(
  response: ResponseObject,
  { callId, model }: Pick<CallHead, "callId" | "model">,
): ResponseObject {
  return { ...response, id: responseIdOf(callId), model };
}

export function conversationOf({ conversation }: ResponseRequest): ResponseObject["conversation"] {
  if (conversation === undefined || conversation === null) return null;
  return { id: typeof conversation === "string" ? conversation : conversation.id };
}

export function asBegun(response: ResponseObject): ResponseObject {
  return { ...response, status: "queued", error: null, incomplete_details: null, output: [], usage: null };
}
