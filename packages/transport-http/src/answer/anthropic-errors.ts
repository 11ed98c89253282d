import { anthropicErrorOf, type AnthropicErrorAnswer } from "@incipit/transport-contract";
import type { MiddlewareHandler } from "hono";
import { ErrorAnswer } from "./error-answer.ts";

export function anthropicErrors(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    const { res: refusal } = context;
    if (!(refusal instanceof ErrorAnswer)) return;
    const { code, message } = refusal.error;
    context.res = anthropicErrorResponse(anthropicErrorOf(code, message));
  };
}

export function anthropicErrorResponse({ status, body }: AnthropicErrorAnswer): Response {
  return Response.json(body, { status });
}
