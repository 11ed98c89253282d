import type { RouteExamples } from "./route-example.ts";
import { conversation, question, reply } from "./shared-values.ts";

export const conversationExamples = {
  createConversation: {
    body: { title: "Tides" },
    answer: {
      conversation: {
        id: "01a208b1-c1a3-7071-a265-0dfaa9270974",
        cwd: "/home/ada/weather",
        model: "offline/echo",
        profile: null,
        title: "Tides",
        forkedFrom: null,
        importedAt: null,
        archived: false,
        epoch: 1,
        createdAt: "2026-11-23T13:56:36.900Z",
        updatedAt: "2026-11-23T13:56:36.900Z",
        lastSeq: 0,
        status: "idle",
        approvals: [],
      },
    },
  },
  listConversations: { answer: { conversations: [conversation] } },
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
  getConversation: { answer: { conversation } },
  forkConversation: {
    body: { after: "01a208b1-c1cc-74f1-920d-71ba6941d34d" },
    answer: {
      conversation: {
        id: "01a208b1-c1ef-71d2-a3e8-b4c0422371eb",
        cwd: "/home/ada/weather",
        model: "offline/echo",
        profile: null,
        title: "Tides",
        forkedFrom: {
          conversationId: "01a208b1-c1a3-7071-a265-0dfaa9270974",
          messageId: "01a208b1-c1cc-74f1-920d-71ba6941d34d",
        },
        importedAt: null,
        archived: false,
        epoch: 1,
        createdAt: "2026-11-23T13:56:36.976Z",
        updatedAt: "2026-11-23T13:56:36.976Z",
        lastSeq: 0,
        status: "idle",
        approvals: [],
      },
    },
  },
  updateConversation: {
    body: { title: "Tides of Porto" },
    answer: {
      conversation: {
        id: "01a208b1-c1a3-7071-a265-0dfaa9270974",
        cwd: "/home/ada/weather",
        model: "offline/echo",
        profile: null,
        title: "Tides of Porto",
        forkedFrom: null,
        importedAt: null,
        archived: false,
        epoch: 1,
        createdAt: "2026-11-23T13:56:36.900Z",
        updatedAt: "2026-11-23T13:56:37.016Z",
        lastSeq: 19,
        status: "idle",
        approvals: [],
      },
    },
  },
  exportConversation: {
    answer: [
      { type: "incipit-conversation", version: 1 },
      { type: "end", records: 33 },
    ],
  },
  importConversation: { body: [{ type: "incipit-conversation", version: 1 }], answer: { conversation } },
  deleteConversation: { answer: { deleted: true } },
  listMessages: { answer: { messages: [question, reply], nextCursor: "000000000001" } },
} satisfies RouteExamples;
