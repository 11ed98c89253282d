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

const conversationParamsSchema = lazySchema(() =>
  z.object({
    /** Id of the conversation. */
    id: z.string(),
  }),
);
const itemParamsSchema = lazySchema(() =>
  z.object({
    /** Id of the conversation. */
    id: z.string(),
    /** Id of the item. */
    itemId: z.string(),
  }),
);

/** Routes of OpenAI's conversations, independent of the host's own. */
export const clientConversationRoutes = {
  /**
   * Creates a conversation in OpenAI's format: a list of items, stored until deleted, for the token that created
   * it. Not a conversation of the host, as created by `POST /conversations`: it has no prompt, runs no tools and is
   * not shown in the page.
   */
  createClientConversation: {
    method: "POST",
    path: "/v1/conversations",
    access: "converse",
    summary: "Create a conversation of the OpenAI API, for responses",
    body: createClientConversationSchema,
    response: clientConversationSchema,
    dialect: "openai",
  },
  /** Returns a conversation to the token that created it, without its items. */
  getClientConversation: {
    method: "GET",
    path: "/v1/conversations/:id",
    access: "read",
    params: conversationParamsSchema,
    summary: "One conversation of the OpenAI API, for the token that created it",
    response: clientConversationSchema,
    dialect: "openai",
  },
  /** Replaces the metadata of a conversation by the given one. */
  updateClientConversation: {
    method: "POST",
    path: "/v1/conversations/:id",
    access: "converse",
    params: conversationParamsSchema,
    summary: "Update the metadata of a conversation of the OpenAI API",
    body: updateClientConversationSchema,
    response: clientConversationSchema,
    dialect: "openai",
  },
  /** Deletes a conversation and all of its items. A response in progress continues, but is not added. */
  deleteClientConversation: {
    method: "DELETE",
    path: "/v1/conversations/:id",
    access: "converse",
    params: conversationParamsSchema,
    summary: "Delete a conversation of the OpenAI API with its items; keeps responses and call records",
    response: clientConversationDeletedSchema,
    dialect: "openai",
  },
  /**
   * Returns a page of items, newest first unless `order` is `asc`. The `last_id` of a page is the `after` of the
   * next one.
   */
  listClientItems: {
    method: "GET",
    path: "/v1/conversations/:id/items",
    access: "read",
    params: conversationParamsSchema,
    summary: "The items of a conversation of the OpenAI API, newest first",
    query: clientItemsQuerySchema,
    response: clientItemListSchema,
    dialect: "openai",
  },
  /** Appends up to 20 items, all or none. Rejected as `conversation_locked` while a response is in progress. */
  addClientItems: {
    method: "POST",
    path: "/v1/conversations/:id/items",
    access: "converse",
    params: conversationParamsSchema,
    summary: "Add items to a conversation of the OpenAI API, without a model call",
    body: addClientItemsSchema,
    response: clientItemListSchema,
    dialect: "openai",
  },
  /** Returns one item, by the id that lists and responses contain. */
  getClientItem: {
    method: "GET",
    path: "/v1/conversations/:id/items/:itemId",
    access: "read",
    params: itemParamsSchema,
    summary: "One item of a conversation of the OpenAI API",
    response: clientItemSchema,
    dialect: "openai",
  },
  /**
   * Deletes one item and returns the conversation. The next request to a model then no longer starts with the
   * previous one.
   */
  deleteClientItem: {
    method: "DELETE",
    path: "/v1/conversations/:id/items/:itemId",
    access: "converse",
    params: itemParamsSchema,
    summary: "Delete an item of a conversation of the OpenAI API",
    response: clientConversationSchema,
    dialect: "openai",
  },
} as const satisfies Record<string, Route>;
