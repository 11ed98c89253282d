import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import {
  addClientItemsSchema,
  clientConversationDeletedSchema,
  clientConversationSchema,
  clientItemListSchema,
  clientItemSchema,
  clientItemsQuerySchema,
  createClientConversationSchema,
  updateClientConversationSchema,
} from "../openai/client-conversation.ts";
import type { Route } from "./route.ts";

const conversationParamsSchema = lazySchema(() => z.object({ id: z.string() }));
const itemParamsSchema = lazySchema(() => z.object({ id: z.string(), itemId: z.string() }));

/** Routes of OpenAI's conversations, independent of the host's own. */
export const clientConversationRoutes = {
  createClientConversation: {
    method: "POST",
    path: "/v1/conversations",
    access: "converse",
    summary: "Begin a conversation of OpenAI's kind, which responses can belong to",
    status: 200,
    body: createClientConversationSchema,
    response: clientConversationSchema,
    dialect: "openai",
  },
  getClientConversation: {
    method: "GET",
    path: "/v1/conversations/:id",
    access: "read",
    params: conversationParamsSchema,
    summary: "One conversation of OpenAI's kind, by the token that made it",
    status: 200,
    response: clientConversationSchema,
    dialect: "openai",
  },
  updateClientConversation: {
    method: "POST",
    path: "/v1/conversations/:id",
    access: "converse",
    params: conversationParamsSchema,
    summary: "Change what a client keeps with its conversation",
    status: 200,
    body: updateClientConversationSchema,
    response: clientConversationSchema,
    dialect: "openai",
  },
  deleteClientConversation: {
    method: "DELETE",
    path: "/v1/conversations/:id",
    access: "converse",
    params: conversationParamsSchema,
    summary: "Delete a conversation of OpenAI's kind with its items; responses of it, and records of calls, stay",
    status: 200,
    response: clientConversationDeletedSchema,
    dialect: "openai",
  },
  listClientItems: {
    method: "GET",
    path: "/v1/conversations/:id/items",
    access: "read",
    params: conversationParamsSchema,
    summary: "What was said in a conversation of OpenAI's kind, the newest first",
    status: 200,
    query: clientItemsQuerySchema,
    response: clientItemListSchema,
    dialect: "openai",
  },
  addClientItems: {
    method: "POST",
    path: "/v1/conversations/:id/items",
    access: "converse",
    params: conversationParamsSchema,
    summary: "Add items to a conversation of OpenAI's kind, without asking a model",
    status: 200,
    body: addClientItemsSchema,
    response: clientItemListSchema,
    dialect: "openai",
  },
  getClientItem: {
    method: "GET",
    path: "/v1/conversations/:id/items/:itemId",
    access: "read",
    params: itemParamsSchema,
    summary: "One item of a conversation of OpenAI's kind",
    status: 200,
    response: clientItemSchema,
    dialect: "openai",
  },
  deleteClientItem: {
    method: "DELETE",
    path: "/v1/conversations/:id/items/:itemId",
    access: "converse",
    params: itemParamsSchema,
    summary: "Take an item out of a conversation of OpenAI's kind",
    status: 200,
    response: clientConversationSchema,
    dialect: "openai",
  },
} as const satisfies Record<string, Route>;
