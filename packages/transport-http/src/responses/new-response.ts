import type { ResponseObject, ResponseRequest } from "@incipit/transport-contract";
import type { CallHead } from "../calls/answer-call.ts";
import { responseIdOf } from "./response-ids.ts";

/** A response as it begins: with nothing said. */
export function newResponse(
  { callId, created, model }: CallHead,
  { request, isStored }: { readonly request: ResponseRequest; readonly isStored: boolean },
): ResponseObject {
  const isBackground = request.background === true;
  return {
    id: responseIdOf(callId),
    object: "response",
    created_at: created,
    status: isBackground ? "queued" : "in_progress",
    background: isBackground,
    error: null,
    incomplete_details: null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    metadata: request.metadata ?? {},
    model,
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

/** The same response as it began. */
export function asBegun(response: ResponseObject): ResponseObject {
  return { ...response, status: "queued", error: null, incomplete_details: null, output: [], usage: null };
}
