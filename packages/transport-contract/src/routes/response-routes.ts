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

const responseParamsSchema = lazySchema(() => z.object({ id: z.string() }));

const responseQuerySchema = lazySchema(() =>
  z.object({
    /** `true`: streams the events of a background response, including new ones. */
    stream: z.enum(["true", "false"]).optional(),
    /** Number of the last event that the client has. */
    starting_after: z.coerce.number<number | string>().int().nonnegative().optional(),
  }),
);

/** Routes of OpenAI's Responses API. */
export const responseRoutes = {
  createResponse: {
    method: "POST",
    path: "/v1/responses",
    access: "converse",
    summary: "Call a model as OpenAI's newer clients do; the id of its record is in the header `x-incipit-call-id`",
    status: 200,
    body: responseRequestSchema,
    response: responseSchema,
    chunk: responseStreamEventSchema,
    dialect: "openai",
  },
  getResponse: {
    method: "GET",
    path: "/v1/responses/:id",
    access: "read",
    params: responseParamsSchema,
    summary: "One response that was stored, or runs in the background, by the token that made it",
    status: 200,
    query: responseQuerySchema,
    response: responseSchema,
    chunk: responseStreamEventSchema,
    dialect: "openai",
  },
  deleteResponse: {
    method: "DELETE",
    path: "/v1/responses/:id",
    access: "converse",
    params: responseParamsSchema,
    summary: "Store a response no longer; the record of its call stays",
    status: 200,
    response: responseDeletedSchema,
    dialect: "openai",
  },
  cancelResponse: {
    method: "POST",
    path: "/v1/responses/:id/cancel",
    access: "converse",
    params: responseParamsSchema,
    summary:
      "Stop a response that runs in the background; a stream without `background` stops when its client closes it",
    status: 200,
    response: responseSchema,
    dialect: "openai",
  },
  listResponseInput: {
    method: "GET",
    path: "/v1/responses/:id/input_items",
    access: "read",
    params: responseParamsSchema,
    summary: "What came with a response that was stored, without what was said before",
    status: 200,
    response: responseInputListSchema,
    dialect: "openai",
  },
} as const satisfies Record<string, Route>;
