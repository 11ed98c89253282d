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
  createMessage: {
    method: "POST",
    path: "/v1/messages",
    access: "converse",
    summary: "Call a model as Anthropic's clients do; the id of its record is in the header `x-incipit-call-id`",
    status: 200,
    body: anthropicMessageRequestSchema,
    response: anthropicReplySchema,
    chunk: anthropicStreamEventSchema,
    dialect: "anthropic",
  },
  countMessageTokens: {
    method: "POST",
    path: "/v1/messages/count_tokens",
    access: "converse",
    summary: "Estimate the tokens of a message's request as Anthropic's clients ask for them; no model is called",
    status: 200,
    body: anthropicCountRequestSchema,
    response: anthropicCountSchema,
    dialect: "anthropic",
  },
} as const satisfies Record<string, Route>;
