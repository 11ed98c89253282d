import type { JsonValue } from "@incipit/kernel";
import type { ClientConversationKey, StoredClientConversation } from "@incipit/service-contract";
import {
  clientItemSchema,
  type ClientConversation,
  type ClientItem,
  type ResponseRequest,
} from "@incipit/transport-contract";
import { toClientItem, toStoredItem, typed } from "../client-conversations/client-items.ts";
import { need, type Services } from "../context/services.ts";
import { ownerOf, type Caller } from "../request/caller.ts";
import type { AnyCall, Handlers } from "../request/route-call.ts";
import type { ResponsesOptions } from "./response-routes.ts";
import { StoredResponses } from "./stored-response.ts";

/** OpenAI's conversations, independent of the host's own. */
export function clientConversationHandlers(services: Services, { background, conversations }: ResponsesOptions) {
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
  const keyOf = (call: AnyCall): ClientConversationKey => ({
    id: call.param("id"),
    owner: ownerOf(call.caller),
  });
  return {
    createClientConversation: async (call) => {
      const caller = call.caller;
      const body = await call.body({ isOptional: true });
      const items = (await itemsOf(body.items ?? [], caller)).map(toStoredItem);
      const made = { owner: ownerOf(caller), items, metadata: body.metadata ?? {} };
      return call.answer(shown(await conversations.service.create(made)));
    },
    getClientConversation: async (call) => call.answer(shown(await conversations.service.get(keyOf(call)))),
    updateClientConversation: async (call) => {
      const { metadata } = await call.body();
      const updated = await conversations.service.update(keyOf(call), metadata ?? {});
      return call.answer(shown(updated));
    },
    deleteClientConversation: async (call) => {
      const key = keyOf(call);
      await conversations.service.delete(key);
      return call.answer({ id: key.id, object: "conversation.deleted", deleted: true });
    },
    listClientItems: async (call) => {
      const { items, hasMore } = await conversations.service.list(keyOf(call), call.query());
      return call.answer(listOf(items.map(parsed), hasMore));
    },
    addClientItems: async (call) => {
      const key = keyOf(call);
      const body = await call.body();
      const items = await itemsOf(body.items, call.caller);
      await conversations.assertFree(key.id);
      await conversations.service.add(key, { items: items.map(toStoredItem) });
      return call.answer(listOf(items, false));
    },
    getClientItem: async (call) => {
      const item = await conversations.service.item(keyOf(call), call.param("itemId"));
      return call.answer(parsed(item));
    },
    deleteClientItem: async (call) => {
      const key = keyOf(call);
      await conversations.service.get(key);
      await conversations.assertFree(key.id);
      await conversations.service.remove(key, call.param("itemId"));
      return call.answer(shown(await conversations.service.get(key)));
    },
  } satisfies Partial<Handlers>;
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
