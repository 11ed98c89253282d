import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import {
  responseDeletedSchema,
  responseInputListSchema,
  responseRequestSchema,
  responseSchema,
  responseStreamEventSchema,
} from "../openai/response.ts";
import type { Route } from "./route.ts";

const responseParamsSchema = lazySchema(() =>
  z.object({
    /** Id of the response. */
    id: z.string(),
  }),
);

/** Routes of OpenAI's Responses API. */
export const responseRoutes = {
  /**
   * Calls a model without a conversation, in the format of OpenAI's responses. The host's system prompt is used
   * unless `instructions` are given. The call is recorded; the header `x-incipit-call-id` has the id of the record.
   * Unless `store` is false, the response can be retrieved and continued while the record exists. With
   * `background`, returns `queued` immediately and continues without the client, up to 16 per token.
   */
  createResponse: {
    method: "POST",
    path: "/v1/responses",
    access: "converse",
    summary: "Call a model as OpenAI's newer clients do; the id of its record is in the header `x-incipit-call-id`",
    body: responseRequestSchema,
    response: responseSchema,
    chunk: responseStreamEventSchema,
    dialect: "openai",
  },
  /**
   * Returns a stored or background response to the token that created it. With `stream=true`, streams the events of
   * a background response: all, or those after `starting_after`, then new ones. A response whose host stopped has
   * failed as `interrupted`.
   */
  getResponse: {
    method: "GET",
    path: "/v1/responses/:id",
    access: "read",
    params: responseParamsSchema,
    summary: "One stored or background response, for the token that created it",
    query: lazySchema(() =>
      z.object({
        /** `true`: streams the events of a background response, including new ones. */
        stream: z.enum(["true", "false"]).optional(),
        /** Number of the last event that the client has. */
        starting_after: z.coerce.number<number | string>().int().nonnegative().optional(),
      }),
    ),
    response: responseSchema,
    chunk: responseStreamEventSchema,
    dialect: "openai",
  },
  /**
   * Deletes a stored response, and stops it if it runs in the background: it can no longer be continued. The record
   * of its call remains.
   */
  deleteResponse: {
    method: "DELETE",
    path: "/v1/responses/:id",
    access: "converse",
    params: responseParamsSchema,
    summary: "Delete a stored response; keeps the record of its call",
    response: responseDeletedSchema,
    dialect: "openai",
  },
  /**
   * Stops a background response and returns it as `cancelled`, with its partial output. Idempotent. Rejected if the
   * response was not created with `background` or has ended by itself.
   */
  cancelResponse: {
    method: "POST",
    path: "/v1/responses/:id/cancel",
    access: "converse",
    params: responseParamsSchema,
    summary:
      "Stop a response that runs in the background; a stream without `background` stops when its client closes it",
    response: responseSchema,
    dialect: "openai",
  },
  /** Returns the complete input of a stored response, without earlier messages. */
  listResponseInput: {
    method: "GET",
    path: "/v1/responses/:id/input_items",
    access: "read",
    params: responseParamsSchema,
    summary: "The input items of a stored response, without earlier messages",
    response: responseInputListSchema,
    dialect: "openai",
  },
} as const satisfies Record<string, Route>;
