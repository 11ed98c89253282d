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
    body: {
      items: [{ type: "message" as const, role: "user" as const, content: "When is high tide?" }],
      metadata: { topic: "tides" },
    },
    answer: conversation,
  },
  getClientConversation: {
    answer: conversation,
  },
  updateClientConversation: {
    body: { metadata: { topic: "tides" } },
    answer: conversation,
  },
  deleteClientConversation: {
    answer: { id, object: "conversation.deleted" as const, deleted: true as const },
  },
  listClientItems: {
    answer: list,
  },
  addClientItems: {
    body: { items: [{ type: "message" as const, role: "user" as const, content: "When is high tide?" }] },
    answer: list,
  },
  getClientItem: {
    answer: question,
  },
  deleteClientItem: {
    answer: conversation,
  },
} satisfies RouteExamples;
