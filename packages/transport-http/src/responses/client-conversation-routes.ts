import type { JsonValue } from "@incipit/kernel";
import type { ClientConversationKey, StoredClientConversation } from "@incipit/service-contract";
import {
  clientItemSchema,
  routes,
  type ClientConversation,
  type ClientItem,
  type ResponseRequest,
} from "@incipit/transport-contract";
import type { Context } from "hono";
import { answer } from "../answer/answer.ts";
import { toClientItem, toStoredItem, typed } from "../client-conversations/client-items.ts";
import { need, type Services } from "../context/services.ts";
import { ownerOf, type ApiEnv, type Caller } from "../request/caller.ts";
import { param, type Handlers } from "../request/handler.ts";
import { check, readBody } from "../request/read-body.ts";
import type { ResponsesOptions } from "./response-routes.ts";
import { StoredResponses } from "./stored-response.ts";

type ClientConversationRoute =
  | "createClientConversation"
  | "getClientConversation"
  | "updateClientConversation"
  | "deleteClientConversation"
  | "listClientItems"
  | "addClientItems"
  | "getClientItem"
  | "deleteClientItem";

/** OpenAI's conversations, independent of the host's own. */
export function clientConversationHandlers(
  services: Services,
  { background, conversations }: ResponsesOptions,
): Handlers<ClientConversationRoute> {
  const { clock } = services;
  const itemsOf = async (
    given: Exclude<ResponseRequest["input"], string>,
    caller: Caller | undefined,
  ): Promise<readonly ClientItem[]> => {
    const items = typed(given);
    if (items.length === 0) return [];
    const calls = need(services.calls, "session orchestrator");
    const stored = new StoredResponses({ calls, owner: ownerOf(caller), running: (id) => background.find(id) });
    return (await stored.resolved(items, "items")).map(toClientItem);
  };
  const keyOf = (context: Context<ApiEnv>): ClientConversationKey => ({
    id: param(context, "id"),
    owner: ownerOf(context.get("caller")),
  });
  return {
    createClientConversation: async (context, signal) => {
      const caller = context.get("caller");
      const options = { clock, signal, isOptional: true };
      const body = await readBody(context.req.raw, routes.createClientConversation.body, options);
      const items = (await itemsOf(body.items ?? [], caller)).map(toStoredItem);
      const made = { owner: ownerOf(caller), items, metadata: body.metadata ?? {} };
      return answer(routes.createClientConversation, shown(await conversations.service.create(made)));
    },
    getClientConversation: async (context) =>
      answer(routes.getClientConversation, shown(await conversations.service.get(keyOf(context)))),
    updateClientConversation: async (context, signal) => {
      const { metadata } = await readBody(context.req.raw, routes.updateClientConversation.body, { clock, signal });
      const updated = await conversations.service.update(keyOf(context), metadata ?? {});
      return answer(routes.updateClientConversation, shown(updated));
    },
    deleteClientConversation: async (context) => {
      const key = keyOf(context);
      await conversations.service.delete(key);
      return answer(routes.deleteClientConversation, { id: key.id, object: "conversation.deleted", deleted: true });
    },
    listClientItems: async (context) => {
      const query = check(routes.listClientItems.query, context.req.query());
      const { items, hasMore } = await conversations.service.list(keyOf(context), query);
      return answer(routes.listClientItems, listOf(items.map(parsed), hasMore));
    },
    addClientItems: async (context, signal) => {
      const key = keyOf(context);
      const body = await readBody(context.req.raw, routes.addClientItems.body, { clock, signal });
      const items = await itemsOf(body.items, context.get("caller"));
      await conversations.assertFree(key.id);
      await conversations.service.add(key, { items: items.map(toStoredItem) });
      return answer(routes.addClientItems, listOf(items, false));
    },
    getClientItem: async (context) => {
      const item = await conversations.service.item(keyOf(context), param(context, "itemId"));
      return answer(routes.getClientItem, parsed(item));
    },
    deleteClientItem: async (context) => {
      const key = keyOf(context);
      await conversations.service.get(key);
      await conversations.assertFree(key.id);
      await conversations.service.remove(key, param(context, "itemId"));
      return answer(routes.deleteClientItem, shown(await conversations.service.get(key)));
    },
  };
}

function shown({ id, createdAt, metadata }: StoredClientConversation): ClientConversation {
  return { id, object: "conversation", created_at: createdAt, metadata: { ...metadata } };
}

function parsed(stored: JsonValue): ClientItem {
  return clientItemSchema.parse(stored);
}

function listOf(
  items: readonly ClientItem[],
  has_more: boolean,
): {
  readonly object: "list";
  readonly data: readonly ClientItem[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
} {
  return {
    object: "list",
    data: items,
    first_id: items[0]?.id ?? null,
    last_id: items.at(-1)?.id ?? null,
    has_more,
  };
}
