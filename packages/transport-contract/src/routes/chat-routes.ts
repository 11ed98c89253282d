import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import {
  chatCompletionChunkSchema,
  chatCompletionRequestSchema,
  chatCompletionSchema,
  chatModelSchema,
  chatModelsResponseSchema,
} from "../openai/chat-completion.ts";
import { embeddingsRequestSchema, embeddingsResponseSchema } from "../openai/embeddings.ts";
import type { Route } from "./route.ts";

/** Routes of OpenAI's chat completions API. */
export const chatRoutes = {
  /**
   * Calls a model without a conversation, in the format of OpenAI's chat completions. The host's system prompt is
   * used unless the messages have one. The call is recorded; the header `x-incipit-call-id` has the id of the
   * record.
   */
  createChatCompletion: {
    method: "POST",
    path: "/v1/chat/completions",
    access: "converse",
    summary: "Call a model as OpenAI's clients do; the id of its record is in the header `x-incipit-call-id`",
    body: chatCompletionRequestSchema,
    response: chatCompletionSchema,
    chunk: chatCompletionChunkSchema,
    dialect: "openai",
  },
  /**
   * Creates embeddings in OpenAI's format, if the API of the model's provider has them. The call is recorded; the
   * header `x-incipit-call-id` has the id of the record.
   */
  createEmbeddings: {
    method: "POST",
    path: "/v1/embeddings",
    access: "converse",
    summary: "Create embeddings, in OpenAI's format; the header `x-incipit-call-id` has the id of the record",
    body: embeddingsRequestSchema,
    response: embeddingsResponseSchema,
    dialect: "openai",
  },
  /** Lists the models that can be called, in OpenAI's format. */
  listChatModels: {
    method: "GET",
    path: "/v1/models",
    access: "read",
    summary: "The models, in OpenAI's format",
    response: chatModelsResponseSchema,
    dialect: "openai",
  },
  /** Returns one model in OpenAI's format. The slash of its id may be unescaped in the path. */
  getChatModel: {
    method: "GET",
    path: "/v1/models/:id",
    access: "read",
    params: lazySchema(() =>
      z.object({
        /** Id of the model. */
        id: z.string(),
      }),
    ),
    takesRest: true,
    summary: "One model, in OpenAI's format",
    response: chatModelSchema,
    dialect: "openai",
  },
} as const satisfies Record<string, Route>;
