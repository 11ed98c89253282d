import type { RouteExamples } from "./route-example.ts";

const id = "conv_01a29d3c-6f0e-7c11-9d0a-6d0f3c1f7a52";

const conversation = {
  id,
  object: "conversation" as const,
  created_at: 1795781500,
  metadata: { topic: "tides" },
};

const question = {
  type: "message" as const,
  id: "msg_0b6c1f6e8d5f4a0f9e3c5b7a1d2e3f40",
  status: "completed" as const,
  role: "user" as const,
  content: [{ type: "input_text" as const, text: "When is high tide?" }],
};

const list = {
  object: "list" as const,
  data: [question],
  first_id: question.id,
  last_id: question.id,
  has_more: false,
};

export const clientConversationExamples = {
  createClientConversation: {
    description:
      "Begins a conversation as OpenAI's clients have it: a list of items, which the host keeps until it is deleted, for the token that made it alone. It is none of the host's own, which `POST /conversations` makes: no prompt is kept with it, no tool is run in it, and no page shows it.",
    body: {
      items: [{ type: "message" as const, role: "user" as const, content: "When is high tide?" }],
      metadata: { topic: "tides" },
    },
    answer: conversation,
  },
  getClientConversation: {
    description:
      "Gives a conversation to the token that made it, and to no other. Its items have a route of their own.",
    answer: conversation,
  },
  updateClientConversation: {
    description: "Puts other metadata in the place of what there was.",
    body: { metadata: { topic: "tides" } },
    answer: conversation,
  },
  deleteClientConversation: {
    description:
      "Deletes a conversation, and all of its items. A response that is being written there goes on, and is not added any more.",
    answer: { id, object: "conversation.deleted" as const, deleted: true as const },
  },
  listClientItems: {
    description:
      "Gives a page of the items, the newest first unless `order` is `asc`. The `last_id` of a page is the `after` of the next one.",
    answer: list,
  },
  addClientItems: {
    description:
      "Adds up to 20 items behind the others, all or none. While a response is written there it is refused as `conversation_locked`.",
    body: { items: [{ type: "message" as const, role: "user" as const, content: "When is high tide?" }] },
    answer: list,
  },
  getClientItem: {
    description: "Gives one item, by the id that a list or a response has it with.",
    answer: question,
  },
  deleteClientItem: {
    description:
      "Takes one item out, and gives the conversation. The next request to a model is then no longer the one before and more.",
    answer: conversation,
  },
} satisfies RouteExamples;
