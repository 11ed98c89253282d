import type { RouteExamples } from "./route-example.ts";
import { conversation, question, reply } from "./shared-values.ts";

export const conversationExamples = {
  createConversation: {
    body: { title: "Tides", system: "You know the sea.", systemMode: "append" },
    answer: {
      conversation: {
        ...conversation,
        updatedAt: conversation.createdAt,
        lastSeq: 0,
      },
    },
  },
  listConversations: {
    answer: { conversations: [conversation] },
  },
  searchConversations: {
    answer: {
      results: [
        {
          conversation,
          matches: [
            { messageId: null, role: null, snippet: "Tides", ranges: [{ start: 0, end: 4 }] },
            {
              messageId: "01a208b1-c1d8-73a5-9e29-a4a01f2b7696",
              role: "assistant",
              snippet: "Tools: none. Messages: 3. You said: And low tide?",
              ranges: [{ start: 44, end: 48 }],
            },
            {
              messageId: "01a208b1-c1d3-7747-a058-f78107156944",
              role: "user",
              snippet: "And low tide?",
              ranges: [{ start: 8, end: 12 }],
            },
          ],
        },
      ],
    },
  },
  getConversation: {
    answer: { conversation },
  },
  listTasks: {
    answer: {
      tasks: [
        {
          conversation: {
            ...conversation,
            id: "01a208b1-c1f4-7a1e-8b11-5a3de1d0c9aa",
            title: "Look for the tables of Porto",
            profile: "reader",
            parent: {
              conversationId: conversation.id,
              turnId: reply.turnId,
              toolCallId: "call_1",
              depth: 1,
            },
            archived: true,
          },
          spent: { tokens: 4_204, usd: 0.0121, unpriced: 0 },
          spentBelow: { tokens: 0, usd: 0, unpriced: 0 },
        },
      ],
      spent: { tokens: 4_204, usd: 0.0121, unpriced: 0 },
    },
  },
  forkConversation: {
    body: { after: "01a208b1-c1cc-74f1-920d-71ba6941d34d" },
    answer: {
      conversation: {
        ...conversation,
        id: "01a208b1-c1ef-71d2-a3e8-b4c0422371eb",
        forkedFrom: { conversationId: conversation.id, messageId: reply.id },
        createdAt: "2026-11-23T13:56:36.976Z",
        updatedAt: "2026-11-23T13:56:36.976Z",
        lastSeq: 0,
      },
    },
  },
  updateConversation: {
    body: { title: "Tides of Porto" },
    answer: {
      conversation: {
        ...conversation,
        title: "Tides of Porto",
        updatedAt: "2026-11-23T13:56:37.016Z",
      },
    },
  },
  exportConversation: {
    answer: [
      { type: "incipit-conversation", version: 1 },
      { type: "end", records: 33 },
    ],
  },
  importConversation: {
    body: [{ type: "incipit-conversation", version: 1 }],
    answer: { conversation },
  },
  deleteConversation: {
    answer: { deleted: true },
  },
  listMessages: {
    answer: { messages: [question, reply], nextCursor: "000000000001" },
  },
} satisfies RouteExamples;
