import {
  anthropicCountRequestSchema,
  anthropicCountSchema,
  anthropicMessageRequestSchema,
  anthropicReplySchema,
  anthropicStreamEventSchema,
} from "../anthropic/anthropic-message.ts";
import type { Route } from "./route.ts";

/** Routes of Anthropic's Messages API. */
export const messageRoutes = {
  /**
   * Calls a model without a conversation, in the format of Anthropic's messages. The host's system prompt is used
   * unless `system` is given. The call is recorded; the header `x-incipit-call-id` has the id of the record. The
   * token may also be in `x-api-key`.
   */
  createMessage: {
    method: "POST",
    path: "/v1/messages",
    access: "converse",
    summary: "Call a model as Anthropic's clients do; the id of its record is in the header `x-incipit-call-id`",
    body: anthropicMessageRequestSchema,
    response: anthropicReplySchema,
    chunk: anthropicStreamEventSchema,
    dialect: "anthropic",
  },
  /**
   * Estimates the tokens of a request: a quarter of its bytes, and 1,600 per file, for any model. Calls neither a
   * model nor a vendor.
   */
  countMessageTokens: {
    method: "POST",
    path: "/v1/messages/count_tokens",
    access: "converse",
    summary: "Estimate the tokens of a request, in Anthropic's format, without a model call",
    body: anthropicCountRequestSchema,
    response: anthropicCountSchema,
    dialect: "anthropic",
  },
} as const satisfies Record<string, Route>;
