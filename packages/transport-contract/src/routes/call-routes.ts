import {
  lazySchema,
  modelCallExplainResponseSchema,
  modelCallSchema,
  pageQuerySchema,
  requestPartSchema,
  stepRequestResponseSchema,
} from "@incipit/schema";
import * as z from "zod";
import type { Route } from "./route.ts";

/** Response header of `/v1` with the id of the call's record. */
export const callIdHeader = "x-incipit-call-id";

const callParamsSchema = lazySchema(() =>
  z.object({
    /** Id of the call. */
    id: z.string(),
  }),
);

export const modelCallResponseSchema = lazySchema(() => z.object({ call: modelCallSchema }));
export const modelCallsResponseSchema = lazySchema(() =>
  z.object({
    /** Calls, newest first. */
    calls: z.array(modelCallSchema),
    nextCursor: z.string().optional(),
  }),
);

/** Routes of stateless model calls. */
export const callRoutes = {
  /**
   * Lists the records of model calls without a conversation, such as those of `POST /v1/chat/completions`, newest
   * first.
   */
  listCalls: {
    method: "GET",
    path: "/calls",
    access: "records",
    summary: "Model calls without a conversation, newest first",
    query: pageQuerySchema,
    response: modelCallsResponseSchema,
  },
  /** Returns the record of one model call: its model, times, outcome and usage. */
  getCall: {
    method: "GET",
    path: "/calls/:id",
    access: "records",
    params: callParamsSchema,
    summary: "The record of a model call",
    response: modelCallResponseSchema,
  },
  /** Returns the request of a model call as sent, byte for byte except for secrets. */
  getCallRequest: {
    method: "GET",
    path: "/calls/:id/request",
    access: "records",
    params: callParamsSchema,
    summary: "The exact request of a model call",
    response: stepRequestResponseSchema,
  },
  /** Returns the system messages of a model call, and explains the origin of each part. */
  explainCall: {
    method: "GET",
    path: "/calls/:id/explain",
    access: "records",
    params: callParamsSchema,
    summary: "The system messages of a model call, and the origin of each part",
    response: modelCallExplainResponseSchema,
  },
  /** Lists the parts of the request of a model call with their sizes: the use of the context. */
  getCallParts: {
    method: "GET",
    path: "/calls/:id/parts",
    params: callParamsSchema,
    summary: "The context usage of a model call: tools, system messages and messages with their sizes",
    response: lazySchema(() =>
      z.object({
        /** In the order of vendors' cache keys; empty if the vendor's format is not supported. */
        parts: z.array(requestPartSchema),
      }),
    ),
    access: "records",
  },
} as const satisfies Record<string, Route>;
