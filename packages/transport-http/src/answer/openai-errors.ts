import { openAiErrorOf, type OpenAiErrorAnswer } from "@incipit/transport-contract";
import type { MiddlewareHandler } from "hono";
import { ErrorAnswer } from "./error-answer.ts";

export function openAiErrors(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    const { res: refusal } = context;
    if (!(refusal instanceof ErrorAnswer)) return;
    const { code, message, details } = refusal.error;
    context.res = openAiErrorResponse(openAiErrorOf(code, message, details));
  };
}

export function openAiErrorResponse({ status, error }: OpenAiErrorAnswer): Response {
  return Response.json({ error }, { status });
}
